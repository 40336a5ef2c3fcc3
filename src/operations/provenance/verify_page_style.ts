/** Of the page that checks a picture, beside the rules of every page. Colours hold in light and in dark. */
export const VERIFY_STYLE = `
body{max-width:46rem}
h2{margin:1.5rem 0 .25rem;padding-left:.8rem;border-left:.35rem solid #8888}
[data-verdict=identical] h2,[data-verdict=same_picture] h2{border-color:#1e8e4e}[data-verdict=altered] h2{border-color:#c98a00}[data-verdict=conflicting] h2{border-color:#c0392b}
h2:focus{outline:none}h3{margin:1.5rem 0 .5rem}
.drop{display:grid;place-content:center;gap:.25rem;min-height:9rem;margin:1rem 0 .5rem;padding:1rem;border:.15rem dashed #8889;border-radius:.7rem;text-align:center;cursor:pointer}
.drop:hover,.drop.over{border-color:#1a4fd6;background:#1a4fd614}
.file{position:absolute;width:1px;height:1px;padding:0;border:0;opacity:0}
form{position:relative}
form:focus-within:has(.file:focus-visible) .drop{outline:.2rem solid #1a4fd6;outline-offset:.15rem}
.small{font-size:.9rem;opacity:.8;margin:.25rem 0}
[role=status].failed{border-left:.25rem solid #c0392b;padding-left:.8rem}
#witnesses{list-style:none;padding:0;display:grid;gap:.6rem}
#witnesses li{border-left:.3rem solid #8888;padding:.1rem .8rem}
#witnesses li.agree{border-color:#1e8e4e}#witnesses li.conflict{border-color:#c0392b}
#witnesses b{display:block}
.pictures{display:grid;grid-template-columns:repeat(auto-fit,minmax(15rem,1fr));gap:1rem}
figure{margin:0}figcaption{font-size:.9rem;opacity:.8}
.sent{position:relative;display:grid}
.pictures img{display:block;width:100%;height:auto;border-radius:.3rem}
#marks{position:absolute;inset:0;width:100%;height:100%}
#marks polygon{fill:#e0002033;stroke:#e00020;stroke-width:2px;vector-effect:non-scaling-stroke;filter:drop-shadow(0 0 .006px #fff)}
code{font-size:.9em}`;
