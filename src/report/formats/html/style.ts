const LIGHT = `--page: #fff; --ink: #211c16; --soft: #625a4f; --line: #e4ded4; --shade: #faf9f6;
  --bar: #b1561f; --warn: #765000; --warn-shade: #fcf1d6; --mark: #ffe29a`
const DARK = `--page: #1e1a16; --ink: #f3eee6; --soft: #b5ab9c; --line: #3a332a;
  --shade: #2a241e; --bar: #e8935a; --warn: #f1c565; --warn-shade: #37290d; --mark: #6b4d00`

/**
 * The style of every report, in the colours of the web UI: by the reader's light or dark setting, with a contrast of 4.5 to 1 or more for
 * text; on paper always light. A page that shows a report within itself sets `data-theme` on its root instead. No font, image or other file
 * is fetched.
 */
export const STYLE = `
:root { color-scheme: light dark; ${LIGHT} }
@media (prefers-color-scheme: dark) { :root { ${DARK} } }
:root[data-theme="dark"] { color-scheme: dark; ${DARK} }
:root[data-theme="light"] { color-scheme: light; ${LIGHT} }
body { margin: 0; background: var(--page); color: var(--ink); line-height: 1.5;
  font-family: system-ui, "Noto Sans", "PingFang SC", "Microsoft YaHei", "Noto Sans CJK SC", sans-serif }
main { max-width: 60rem; margin: 0 auto; padding: 1.5rem 1rem 4rem }
h1 { font-size: 1.6rem; line-height: 1.25; overflow-wrap: anywhere }
h2 { font-size: 1.2rem; margin-top: 2.2rem; border-bottom: 1px solid var(--line); padding-bottom: .2rem }
h3 { font-size: 1rem; margin: 1.6rem 0 .3rem; overflow-wrap: anywhere }
p, li, dd, td, th, h1, h2, h3, figcaption { unicode-bidi: isolate }
dl { display: grid; grid-template-columns: repeat(auto-fill, minmax(12rem, 1fr)); gap: .8rem; margin: 1rem 0 }
dl > div { background: var(--shade); border: 1px solid var(--line); border-radius: .4rem; padding: .6rem .8rem }
dt { color: var(--soft); font-size: .85rem }
dd { margin: 0; overflow-wrap: anywhere }
dd.value { font-size: 1.25rem; font-weight: 600 }
dd.long { font-size: .95rem; font-weight: 400 }
dd.note { color: var(--soft); font-size: .85rem }
.callout { border-left: .3rem solid var(--line); background: var(--shade); padding: .5rem .8rem; margin: .8rem 0 }
.warning { border-color: var(--warn); background: var(--warn-shade) }
.warning strong { color: var(--warn) }
.scroll { overflow-x: auto; margin: 1rem 0 }
table { border-collapse: collapse; font-variant-numeric: tabular-nums }
caption, figcaption { text-align: left; color: var(--soft); font-size: .9rem; padding: .3rem 0 }
th, td { text-align: left; vertical-align: top; padding: .3rem .8rem .3rem 0; border-bottom: 1px solid var(--line) }
th[scope=row] { font-weight: 400 }
th.number, td.number { text-align: right; white-space: nowrap }
figure { margin: 1rem 0 }
.talk { list-style: none; padding: 0; margin: .3rem 0; display: flex; flex-direction: column; gap: .4rem }
.talk li { max-width: 80%; padding: .4rem .7rem; border: 1px solid var(--line); border-radius: .6rem }
.talk li.left { align-self: flex-start }
.talk li.right { align-self: flex-end; background: var(--shade) }
.talk li.middle { align-self: center; border-style: dashed; color: var(--soft); font-size: .85rem }
.talk b { font-size: .85rem }
.talk small { color: var(--soft) }
.talk p { margin: 0; white-space: pre-wrap; overflow-wrap: anywhere }
mark { background: var(--mark); color: inherit; border-radius: .2rem }
svg { display: block; width: 100%; max-width: 44rem; height: auto }
svg text { fill: var(--ink); font-size: 13px }
svg .tick { fill: var(--soft); font-size: 11px }
svg .grid { stroke: var(--line) }
svg .zero { stroke: var(--soft) }
svg .bar { fill: var(--bar); opacity: .55 }
svg .whisker { stroke: var(--ink); stroke-width: 1.5 }
@media print { :root, :root[data-theme] { color-scheme: light; --page: #fff; --ink: #000; --soft: #444; --line: #bbb; --shade: #f4f4f4;
  --bar: #b1561f; --warn: #6b3600; --warn-shade: #fff; --mark: #ffe29a }
  main { max-width: none; padding: 0 } .scroll { overflow: visible }
  tr, figure, dl > div, .callout, .talk li { break-inside: avoid } h2, h3 { break-after: avoid } thead { display: table-header-group } }
`
