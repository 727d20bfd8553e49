import type { ConversationMessage } from "../../../../../src/core/conversation.ts"
import { Card } from "../../../components/card.tsx"
import { Foreign } from "../../../components/foreign.tsx"
import { Hint } from "../../../components/hint.tsx"
import { useFormat } from "../../../lib/format.ts"
import { wordFor } from "../../../texts/common.ts"
import { SERVICE } from "../../../texts/service.ts"
import { useTexts } from "../../../texts/texts.ts"
import type { StoryTime } from "./story-time.ts"

/** The conversation that the script was made from, where it has one. */
export function OriginalCard({
  messages,
  story,
}: {
  readonly messages: readonly ConversationMessage[]
  readonly story: StoryTime
}) {
  const t = useTexts(SERVICE)
  const format = useFormat()
  if (messages.length === 0) return null
  return (
    <Card title={t.originalTalk} hint={<Hint about={t.originalTalk}>{t.originalHint}</Hint>}>
      <details>
        <summary className="text-sm text-muted hover:text-text">
          {t.showOriginal(format.count(messages.length))}
        </summary>
        <ol className="mt-3 space-y-2 text-sm">
          {messages.map((message) => (
            <li key={message.id}>
              <p className="text-xs text-muted">
                <strong className="font-semibold text-text">{wordFor(t.senders, message.sender)}</strong>{" "}
                {story.moment(message.at)}
              </p>
              <Foreign text={message.text} />
            </li>
          ))}
        </ol>
      </details>
    </Card>
  )
}
