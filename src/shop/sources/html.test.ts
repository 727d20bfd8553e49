import fc from "fast-check"
import { expect, test } from "vitest"
import { readBody } from "./html.ts"

test.each([
  ["<p>Warm&nbsp;&amp; soft<br>in any season</p>", "Warm & soft\nin any season", []],
  [
    "<p>For you:</p><ul><li>One <b>bold</b> word</li><li><p>Two</p><p>blocks</p></li></ul><p>Bye",
    "For you:\nBye",
    ["One bold word", "Two blocks"],
  ],
  ["<ol><li>outer<ul><li>inner</li></ul></li></ol>after", "after", ["outer", "inner"]],
  ["<script>alert(1)</script><style>p{}</style><h2>Care</h2><img src=x alt=no>Wash cold", "Care\nWash cold", []],
  ["<table><tr><td>Fabric</td><td>Cotton</td></tr></table>", "Fabric Cotton", []],
  ["plain text\n\nwith < 5 kg & more", "plain text\nwith < 5 kg & more", []],
  ["&lt;b&gt; is text", "<b> is text", []],
  ["<ul><li></li><li> </li></ul>", "", []],
  ["<a href='https://x.example'>the link</a>", "the link", []],
  ["", "", []],
])("%j", (html, text, bullets) => {
  expect(readBody(html)).toEqual({ text, bullets })
})

test("broken, hostile and endless HTML gives some text and no throw", () => {
  expect(() => readBody("<div>".repeat(20_000))).not.toThrow()
  const pieces = fc.constantFrom(
    "<p>",
    "</p>",
    "<ul>",
    "<li>",
    "</ul>",
    "<",
    ">",
    "&",
    "&#0;",
    "\u0001",
    "<!--",
    "text",
    '"',
    "<table>",
    "<td",
  )
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 30 }), (parts) => {
      const { text, bullets } = readBody(parts.join(""))
      expect([text, ...bullets].join("")).not.toContain("\u0001")
    }),
  )
})
