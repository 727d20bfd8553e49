import type { MessagePart } from "../core/conversation.ts"

/** What stands for parts that have no words, by language. Everything that renders messages uses the same bytes. */
const MARKERS = {
  zh: { image: "[图片]", nonText: "[非文本消息]" },
  en: { image: "[image]", nonText: "[non-text message]" },
} as const

/**
 * A message's parts as the text that models and people read, one line for each thing said: a text on one line, a card's texts each
 * once, a link as it is, an image as its URL or a marker. A message with nothing to read is one marker.
 */
export function renderMessage(parts: readonly MessagePart[], language: "zh" | "en"): string {
  const markers = MARKERS[language]
  const lines = parts.flatMap((part) => {
    switch (part.type) {
      case "text":
        return [oneLine(part.text)]
      case "card":
        return [...new Set(part.texts.map(oneLine))]
      case "link":
        return [part.url]
      case "image":
        return [part.url?.trim() ? part.url : markers.image]
      case "other":
        return []
      default:
        return part satisfies never
    }
  })
  return lines.filter((line) => line.trim() !== "").join("\n") || markers.nonText
}

function oneLine(text: string): string {
  return text.trim().replace(/\s*[\r\n\u2028\u2029]+\s*/g, " ")
}
