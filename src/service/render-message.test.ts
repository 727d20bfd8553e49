import { expect, it } from "vitest"
import type { MessagePart } from "../core/conversation.ts"
import { renderMessage } from "./render-message.ts"

it("writes a text on one line, a card's texts once each, and a link as it is", () => {
  const parts: MessagePart[] = [
    { type: "text", text: " 你好\r\n 在吗 " },
    { type: "card", texts: ["云南六日游", " 云南六日游", "¥2,999 起", ""] },
    { type: "link", url: "https://shop.example/p?id=1&x=%20" },
  ]
  expect(renderMessage(parts, "zh")).toBe("你好 在吗\n云南六日游\n¥2,999 起\nhttps://shop.example/p?id=1&x=%20")
})

it("writes an image's URL, or the language's marker where it has none", () => {
  const images: MessagePart[] = [
    { type: "image", url: "https://img.example/1.jpg" },
    { type: "image", url: null },
    { type: "image", url: " " },
  ]
  expect(renderMessage(images, "zh")).toBe("https://img.example/1.jpg\n[图片]\n[图片]")
  expect(renderMessage(images, "en")).toBe("https://img.example/1.jpg\n[image]\n[image]")
})

it("writes one marker for a message with nothing to read, and none beside words", () => {
  expect(renderMessage([{ type: "other" }, { type: "other" }], "zh")).toBe("[非文本消息]")
  expect(
    renderMessage(
      [
        { type: "text", text: " \n" },
        { type: "card", texts: [""] },
      ],
      "en",
    ),
  ).toBe("[non-text message]")
  expect(renderMessage([], "en")).toBe("[non-text message]")
  expect(renderMessage([{ type: "other" }, { type: "text", text: "好" }], "zh")).toBe("好")
})
