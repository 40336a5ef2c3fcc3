;; The inner loops of resample.ts. Rows are 32-bit floats, pixel after pixel; every address is in bytes and a multiple of 4.
(module
  (memory (import "resample" "memory") 1)

  ;; Looks $count 8-bit samples up in a table of 256 floats; $count is rounded up to a multiple of 4.
  (func (export "decode")
    (param $samples i32) (param $count i32) (param $table i32) (param $row i32)
    (local $end i32) (local $four v128)
    (local.set $end (i32.add (local.get $samples) (local.get $count)))
    (loop $next
      (local.set $four (v128.load32_zero (i32.add (local.get $table)
        (i32.shl (i32.load8_u (local.get $samples)) (i32.const 2)))))
      (local.set $four (v128.load32_lane 1 (i32.add (local.get $table)
        (i32.shl (i32.load8_u offset=1 (local.get $samples)) (i32.const 2))) (local.get $four)))
      (local.set $four (v128.load32_lane 2 (i32.add (local.get $table)
        (i32.shl (i32.load8_u offset=2 (local.get $samples)) (i32.const 2))) (local.get $four)))
      (local.set $four (v128.load32_lane 3 (i32.add (local.get $table)
        (i32.shl (i32.load8_u offset=3 (local.get $samples)) (i32.const 2))) (local.get $four)))
      (v128.store (local.get $row) (local.get $four))
      (local.set $row (i32.add (local.get $row) (i32.const 16)))
      (br_if $next (i32.lt_u
        (local.tee $samples (i32.add (local.get $samples) (i32.const 4))) (local.get $end)))))

  ;; Adds $count rows, $stride bytes apart, each times its weight, to the sums of $bytes bytes, a multiple of 64.
  (func (export "addRows")
    (param $sums i32) (param $bytes i32) (param $rows i32) (param $stride i32) (param $weights i32) (param $count i32)
    (local $end i32) (local $row i32) (local $weight i32) (local $lastWeight i32) (local $factor v128)
    (local $a v128) (local $b v128) (local $c v128) (local $d v128)
    (local.set $end (i32.add (local.get $sums) (local.get $bytes)))
    (local.set $lastWeight (i32.add (local.get $weights) (i32.shl (local.get $count) (i32.const 2))))
    (loop $block
      (local.set $a (v128.load (local.get $sums)))
      (local.set $b (v128.load offset=16 (local.get $sums)))
      (local.set $c (v128.load offset=32 (local.get $sums)))
      (local.set $d (v128.load offset=48 (local.get $sums)))
      (local.set $row (local.get $rows))
      (local.set $weight (local.get $weights))
      (loop $nextRow
        (local.set $factor (v128.load32_splat (local.get $weight)))
        (local.set $a (f32x4.add (local.get $a) (f32x4.mul (local.get $factor) (v128.load (local.get $row)))))
        (local.set $b (f32x4.add (local.get $b) (f32x4.mul (local.get $factor) (v128.load offset=16 (local.get $row)))))
        (local.set $c (f32x4.add (local.get $c) (f32x4.mul (local.get $factor) (v128.load offset=32 (local.get $row)))))
        (local.set $d (f32x4.add (local.get $d) (f32x4.mul (local.get $factor) (v128.load offset=48 (local.get $row)))))
        (local.set $row (i32.add (local.get $row) (local.get $stride)))
        (br_if $nextRow (i32.lt_u
          (local.tee $weight (i32.add (local.get $weight) (i32.const 4))) (local.get $lastWeight))))
      (v128.store (local.get $sums) (local.get $a))
      (v128.store offset=16 (local.get $sums) (local.get $b))
      (v128.store offset=32 (local.get $sums) (local.get $c))
      (v128.store offset=48 (local.get $sums) (local.get $d))
      (local.set $rows (i32.add (local.get $rows) (i32.const 64)))
      (br_if $block (i32.lt_u
        (local.tee $sums (i32.add (local.get $sums) (i32.const 64))) (local.get $end)))))

  ;; Writes $count pixels of four floats, each the weighted sum of $taps pixels of a row, $stride bytes apart, the first at the
  ;; offset in $starts. $taps is a multiple of 4. Of a row with fewer channels, the lanes above them hold its neighbours.
  (func (export "filterRow")
    (param $row i32) (param $stride i32) (param $starts i32) (param $weights i32) (param $taps i32)
    (param $pixels i32) (param $count i32)
    (local $end i32) (local $at i32) (local $lastWeight i32) (local $second i32) (local $third i32)
    (local $a v128) (local $b v128) (local $c v128) (local $d v128)
    (local.set $end (i32.add (local.get $pixels) (i32.shl (local.get $count) (i32.const 4))))
    (local.set $taps (i32.shl (local.get $taps) (i32.const 2)))
    (loop $pixel
      (local.set $a (v128.const f32x4 0 0 0 0))
      (local.set $b (v128.const f32x4 0 0 0 0))
      (local.set $c (v128.const f32x4 0 0 0 0))
      (local.set $d (v128.const f32x4 0 0 0 0))
      (local.set $at (i32.add (local.get $row) (i32.load (local.get $starts))))
      (local.set $lastWeight (i32.add (local.get $weights) (local.get $taps)))
      (loop $fourTaps
        (local.set $second (i32.add (local.get $at) (local.get $stride)))
        (local.set $third (i32.add (local.get $second) (local.get $stride)))
        (local.set $a (f32x4.add (local.get $a)
          (f32x4.mul (v128.load32_splat (local.get $weights)) (v128.load (local.get $at)))))
        (local.set $b (f32x4.add (local.get $b)
          (f32x4.mul (v128.load32_splat offset=4 (local.get $weights)) (v128.load (local.get $second)))))
        (local.set $c (f32x4.add (local.get $c)
          (f32x4.mul (v128.load32_splat offset=8 (local.get $weights)) (v128.load (local.get $third)))))
        (local.set $at (i32.add (local.get $third) (local.get $stride)))
        (local.set $d (f32x4.add (local.get $d)
          (f32x4.mul (v128.load32_splat offset=12 (local.get $weights)) (v128.load (local.get $at)))))
        (local.set $at (i32.add (local.get $at) (local.get $stride)))
        (br_if $fourTaps (i32.lt_u
          (local.tee $weights (i32.add (local.get $weights) (i32.const 16))) (local.get $lastWeight))))
      (v128.store (local.get $pixels) (f32x4.add
        (f32x4.add (local.get $a) (local.get $b)) (f32x4.add (local.get $c) (local.get $d))))
      (local.set $starts (i32.add (local.get $starts) (i32.const 4)))
      (br_if $pixel (i32.lt_u
        (local.tee $pixels (i32.add (local.get $pixels) (i32.const 16))) (local.get $end)))))

  ;; Looks $colors samples of each pixel of four floats, 0 to 1 and clipped, up in a table of 65,536 bytes.
  (func (export "encode")
    (param $pixels i32) (param $count i32) (param $table i32) (param $colors i32) (param $samples i32) (param $channels i32)
    (local $end i32) (local $index v128)
    (local.set $end (i32.add (local.get $pixels) (i32.shl (local.get $count) (i32.const 4))))
    (loop $pixel
      (local.set $index (i32x4.trunc_sat_f32x4_s (f32x4.add (v128.const f32x4 0.5 0.5 0.5 0.5)
        (f32x4.pmax (v128.const f32x4 0 0 0 0) (f32x4.pmin (v128.const f32x4 65535 65535 65535 65535)
          (f32x4.mul (v128.const f32x4 65535 65535 65535 65535) (v128.load (local.get $pixels))))))))
      (i32.store8 (local.get $samples)
        (i32.load8_u (i32.add (local.get $table) (i32x4.extract_lane 0 (local.get $index)))))
      (if (i32.eq (local.get $colors) (i32.const 3)) (then
        (i32.store8 offset=1 (local.get $samples)
          (i32.load8_u (i32.add (local.get $table) (i32x4.extract_lane 1 (local.get $index)))))
        (i32.store8 offset=2 (local.get $samples)
          (i32.load8_u (i32.add (local.get $table) (i32x4.extract_lane 2 (local.get $index)))))))
      (local.set $samples (i32.add (local.get $samples) (local.get $channels)))
      (br_if $pixel (i32.lt_u
        (local.tee $pixels (i32.add (local.get $pixels) (i32.const 16))) (local.get $end)))))

  ;; The same as 16-bit samples, by a table of 65,537 floats, between two of which it is straight.
  (func (export "encodeDeep")
    (param $pixels i32) (param $count i32) (param $table i32) (param $colors i32) (param $samples i32) (param $channels i32)
    (local $end i32) (local $entry i32) (local $value f32) (local $place v128) (local $step v128) (local $part v128)
    (local.set $end (i32.add (local.get $pixels) (i32.shl (local.get $count) (i32.const 4))))
    (loop $pixel
      (local.set $place (f32x4.pmax (v128.const f32x4 0 0 0 0) (f32x4.pmin (v128.const f32x4 65535 65535 65535 65535)
        (f32x4.mul (v128.const f32x4 65535 65535 65535 65535) (v128.load (local.get $pixels))))))
      (local.set $step (i32x4.trunc_sat_f32x4_s (local.get $place)))
      (local.set $part (f32x4.sub (local.get $place) (f32x4.convert_i32x4_s (local.get $step))))
      (local.set $entry (i32.add (local.get $table) (i32.shl (i32x4.extract_lane 0 (local.get $step)) (i32.const 2))))
      (local.set $value (f32.load (local.get $entry)))
      (i32.store16 (local.get $samples) (i32.trunc_sat_f32_u (f32.add (f32.const 0.5) (f32.add (local.get $value)
        (f32.mul (f32x4.extract_lane 0 (local.get $part)) (f32.sub (f32.load offset=4 (local.get $entry)) (local.get $value)))))))
      (if (i32.eq (local.get $colors) (i32.const 3)) (then
        (local.set $entry (i32.add (local.get $table) (i32.shl (i32x4.extract_lane 1 (local.get $step)) (i32.const 2))))
        (local.set $value (f32.load (local.get $entry)))
        (i32.store16 offset=2 (local.get $samples) (i32.trunc_sat_f32_u (f32.add (f32.const 0.5) (f32.add (local.get $value)
          (f32.mul (f32x4.extract_lane 1 (local.get $part)) (f32.sub (f32.load offset=4 (local.get $entry)) (local.get $value)))))))
        (local.set $entry (i32.add (local.get $table) (i32.shl (i32x4.extract_lane 2 (local.get $step)) (i32.const 2))))
        (local.set $value (f32.load (local.get $entry)))
        (i32.store16 offset=4 (local.get $samples) (i32.trunc_sat_f32_u (f32.add (f32.const 0.5) (f32.add (local.get $value)
          (f32.mul (f32x4.extract_lane 2 (local.get $part)) (f32.sub (f32.load offset=4 (local.get $entry)) (local.get $value)))))))))
      (local.set $samples (i32.add (local.get $samples) (i32.shl (local.get $channels) (i32.const 1))))
      (br_if $pixel (i32.lt_u
        (local.tee $pixels (i32.add (local.get $pixels) (i32.const 16))) (local.get $end)))))
)
