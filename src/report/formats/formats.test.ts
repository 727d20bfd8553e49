import fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { Block, Document } from "../document.ts"
import { documentHtml } from "./html.ts"
import { documentMarkdown } from "./markdown.ts"
import { documentText } from "./text.ts"

/** A document with every kind of block, and `text` wherever one can be. */
function document(text: string, changes: Partial<Document> = {}): Document {
  const blocks: Block[] = [
    { type: "heading", text },
    { type: "text", text },
    { type: "callout", tone: "warning", text },
    { type: "callout", tone: "note", text },
    { type: "figures", rows: [{ label: text, value: text, note: text }] },
    { type: "table", caption: text, columns: [{ label: text }, { label: text, numeric: true }], rows: [[text, text]] },
    {
      type: "chart",
      caption: text,
      from: -0.5,
      to: 0.5,
      bars: [{ label: text, value: -0.2, interval: { low: -0.3, high: 0.1 }, text }],
    },
    { type: "list", items: [text, text] },
    { type: "section", text },
    {
      type: "talk",
      caption: text,
      lines: [
        { who: text, side: "left", note: text, text },
        { who: text, side: "right", text, marks: ["no such words anywhere"] },
        { side: "middle", text },
      ],
    },
  ]
  return { language: "en", title: text, blocks, ...changes }
}

const tagsOf = (html: string) => html.match(/<[^>]*>/g)

describe("HTML", () => {
  it("is one page without scripts, files or network", () => {
    const html = documentHtml(document("x"))
    expect(html).toMatch(/^<!doctype html>\n<html lang="en">/)
    expect(html).toContain("default-src 'none'")
    expect(html).not.toMatch(/<script|<link|<img|<iframe|@import|url\(|src=|href=|\son[a-z]+=|https?:/i)
    expect(documentHtml(document("x", { language: "zh" }))).toContain('<html lang="zh-CN">')
  })

  it("has the same tags whatever its texts say", () => {
    const expected = tagsOf(documentHtml(document("x")))
    const text = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.constantFrom("<script>alert(1)</script>", `" onload="alert(1)`, "</style><b>", "<!--", "&lt;b&gt;", "]]>"),
    )
    fc.assert(
      fc.property(text, (text) => {
        expect(tagsOf(documentHtml(document(text)))).toEqual(expected)
      }),
    )
  })

  it("shows texts as they are, but for characters that would change what is around them", () => {
    expect(documentHtml(document(`a<b> & "c" 'd'`))).toContain("<p>a&lt;b&gt; &amp; &quot;c&quot; &#39;d&#39;</p>")
    expect(documentHtml(document("a\u202eb\u0000c\ud800d"))).toContain("<p>a\ufffdb\ufffdc\ufffdd</p>")
  })

  it("names tables and their rows, and says in words what a chart draws", () => {
    const html = documentHtml(document("灯"))
    expect(html).toContain('<th scope="row">灯</th><td class="number">灯</td>')
    expect(html).toMatch(/<caption id="block-6">灯<\/caption>/)
    expect(html).toMatch(/<svg role="img" aria-labelledby="block-7" aria-describedby="block-7-said"/)
    expect(html).toContain('<desc id="block-7-said">灯: 灯</desc>')
  })

  it("draws bars from zero and intervals by the axis, with round ticks", () => {
    const html = documentHtml(document("x"))
    const ticks = [...html.matchAll(/<text class="tick" x="([\d.]+)"[^>]*>([^<]+)</g)].map(([, x, tick]) => [x, tick])
    expect(ticks.map(([, tick]) => tick)).toEqual(["-0.4", "-0.2", "0", "0.2", "0.4"])
    const at = Object.fromEntries(ticks.map(([x, tick]) => [tick, Number(x)]))
    const [, x, width] = /<rect class="bar" x="([\d.]+)" y="5" width="([\d.]+)"/.exec(html)!.map(Number)
    expect(x).toBeCloseTo(at["-0.2"]!, 1)
    expect(x! + width!).toBeCloseTo(at["0"]!, 1)
    const [, low, high] = /M([\d.]+) 8v10m0-5H([\d.]+)m/.exec(html)!.map(Number)
    expect(low).toBeCloseTo((at["-0.4"]! + at["-0.2"]!) / 2, 1)
    expect(high).toBeCloseTo((at["0"]! + at["0.2"]!) / 2, 1)
  })
})

describe("Markdown", () => {
  it("has each block in its own markup", () => {
    expect(documentMarkdown(document("x"))).toBe(
      [
        "# x",
        "## x",
        "x",
        "> **Warning:** x",
        "> **Note:** x",
        "- **x**: x (x)",
        "x:\n\n| x | x |\n|---|--:|\n| x | x |",
        "- x\n- x",
        "### x",
        "x:\n\n> **x** (x): x\n>\n> **x**: x\n>\n> x",
      ].join("\n\n"),
    )
  })

  it("escapes what would be markup", () => {
    const said = (text: string) =>
      documentMarkdown({ language: "en", title: "", blocks: [{ type: "text", text }] }).slice(4)
    expect(said("*a* [b](c) `d` | <i> &amp; \\")).toBe("\\*a\\* \\[b\\](c) \\`d\\` \\| &lt;i\\> &amp;amp; \\\\")
    expect(said("r_att and _this_")).toBe("r_att and \\_this\\_")
    expect(["# a", "- a", "+ a", "1. a", "2) a", "12 a", "a\n# b"].map(said)).toEqual([
      "\\# a",
      "\\- a",
      "\\+ a",
      "1\\. a",
      "2\\) a",
      "12 a",
      "a # b",
    ])
  })
})

describe("what was said", () => {
  const talk: Block = {
    type: "talk",
    caption: "Case 1",
    lines: [
      { who: "客户", side: "left", note: "09:00", text: "Where is it?\n- my <b>lamp</b>" },
      { who: "Agent", side: "right", note: "09:01", text: "It is 20 & it left.", marks: ["20 & it", "0 &", "left"] },
      { side: "middle", text: "1 more" },
    ],
  }
  const page: Document = { language: "en", title: "T", blocks: [talk] }

  it("keeps its lines, and marks passages on a page, the first of those that overlap", () => {
    const html = documentHtml(page)
    expect(html).toContain(
      '<li class="left"><b>客户</b> <small>09:00</small><p>Where is it?\n- my &lt;b&gt;lamp&lt;/b&gt;</p>',
    )
    expect(html).toContain("<p>It is <mark>20 &amp; it</mark> <mark>left</mark>.</p>")
    expect(html).toContain('<li class="middle"><p>1 more</p></li>')
  })

  it("is a quotation in Markdown and in columns in a terminal", () => {
    expect(documentMarkdown(page)).toContain(
      "> **客户** (09:00): Where is it?\\\n> \\- my &lt;b\\>lamp&lt;/b\\>\n>\n> **Agent** (09:01): It is 20 &amp; it left.\n>\n> 1 more",
    )
    expect(documentText(page)).toBe(
      [
        "T",
        [
          "Case 1",
          "  09:00  客户   Where is it?",
          "                - my <b>lamp</b>",
          "  09:01  Agent  It is 20 & it left.",
          "                1 more",
        ].join("\n"),
      ].join("\n\n"),
    )
  })
})

describe("text", () => {
  it("aligns figures and tables by the columns that characters take", () => {
    const blocks: Block[] = [
      {
        type: "figures",
        rows: [
          { label: "成功率", value: "50 %", note: "2 of 4" },
          { label: "Reward", value: "1" },
        ],
      },
      {
        type: "table",
        caption: "All",
        columns: [{ label: "任务" }, { label: "n", numeric: true }],
        rows: [
          ["a", "1"],
          ["bcdef", "100"],
        ],
      },
    ]
    expect(documentText({ language: "zh", title: "T", blocks })).toBe(
      ["T", "成功率  50 %  2 of 4\nReward  1", "All\n任务     n\na        1\nbcdef  100"].join("\n\n"),
    )
    expect(documentText(document("x", { language: "zh" }))).toContain("\n\n警告：x\n\n说明：x\n\n")
  })
})
