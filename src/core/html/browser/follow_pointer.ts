/** Follows a pointer that was pressed on an element until it is released. @param end not called after a cancellation */
export function followPointer(
  element: HTMLElement,
  { pointerId }: PointerEvent,
  drag: (moved: PointerEvent) => void,
  end: (released: PointerEvent) => void = () => {},
): void {
  element.setPointerCapture(pointerId);
  const stop = (event: PointerEvent) => {
    element.removeEventListener('pointermove', drag);
    element.removeEventListener('pointerup', stop);
    element.removeEventListener('pointercancel', stop);
    if (event.type === 'pointerup') end(event);
  };
  element.addEventListener('pointermove', drag);
  element.addEventListener('pointerup', stop);
  element.addEventListener('pointercancel', stop);
}
