// A knowledge base as the thing under test, the world it looks things up in, and who asks. No chat, channel, buyer or shop is in it.

const words = (text) => text.toLowerCase().match(/\p{L}{3,}/gu) ?? []

/**
 * The world: one tool over a list of articles. It searches the shelf that the target's session is bound to, which it is told once that
 * is open (`bound`).
 */
export function articleWorld(articles) {
  const schemas = [
    {
      type: "function",
      function: {
        name: "search_articles",
        description: "Articles of the open shelf that have words of the query in their title, best first.",
        parameters: {
          type: "object",
          properties: { query: { type: "string" } },
          required: ["query"],
          additionalProperties: false,
        },
      },
    },
  ]
  const found = (shelf, query) => {
    const wanted = new Set(words(query))
    return articles
      .filter((article) => article.shelf === shelf)
      .map((article) => ({ article, score: words(article.title).filter((word) => wanted.has(word)).length }))
      .filter(({ score }) => score > 0)
      .sort((one, other) => other.score - one.score)
      .map(({ article: { shelf: _, ...article } }) => article)
  }
  return {
    identity: () => ({ world: "articles", articles: articles.map(({ id }) => id) }),
    async mount(_script, { signal }) {
      signal.throwIfAborted()
      let shelf = null
      const searches = { found: 0, empty: 0 }
      return {
        tools: {
          schemas,
          async call({ name, arguments: { query, ...more } }, { signal }) {
            signal.throwIfAborted()
            const refused = (content) => ({ ok: false, content, class: "passthrough" })
            if (name !== "search_articles") return refused(`There is no tool ${name}, only search_articles`)
            if (typeof query !== "string" || Object.keys(more).length > 0) return refused("Expected { query }, a text")
            const data = { articles: found(shelf, query) }
            const hit = data.articles.length > 0
            searches[hit ? "found" : "empty"] += 1
            const classed = hit ? { class: "hit", reason: "matched" } : { class: "miss", reason: "no_command_record" }
            return { ok: true, content: JSON.stringify(data), data, ...classed }
          },
        },
        bound: (binding) => {
          shelf = binding.shelf
        },
        evidence: () => ({ shelf, searches: { ...searches } }),
        unmount: async () => {},
      }
    },
  }
}

/**
 * The target: one step is one question. It looks up what is asked, in its own words, and reads out the best article. `reads` says what
 * it makes of an article; that is what is evaluated.
 */
export function knowledgeBase({ shelf, version, reads = ({ text }) => text }) {
  return {
    identity: () => ({ target: "knowledge base", shelf, version }),
    async open({ clock, tools, signal }) {
      signal.throwIfAborted()
      let turn = 0
      const message = (sender, text, answers) => ({
        id: `${sender}-${turn}`,
        turn,
        sender,
        at: clock.now(),
        text,
        channel: "conversation",
        origin: "simulated",
        delivery: "sent",
        ...(answers && { answers }),
      })
      return {
        binding: { shelf },
        advance: async (to) => clock.advanceTo(to),
        async send(text, signal) {
          signal.throwIfAborted()
          turn += 1
          const asked = message("buyer", text) // the asking party
          const request = { id: `search-${turn}`, name: "search_articles", arguments: { query: text } }
          const { data } = await tools.call(request, { signal })
          const [best] = data?.articles ?? []
          const answer = best === undefined ? "Nothing is written about that." : reads(best)
          return { turn, ended: "answered", messages: [asked, message("agent", answer, [asked.id])] }
        },
        close: async () => null,
        usage: () => ({ agent: { model_calls: 0 } }),
      }
    },
  }
}

/** The role: asks what the script lists until it has heard what it wants to know. It sees the shelf too. */
export const reader = {
  identity: () => ({ role: "reader", version: 1 }),
  async *actions(script, signal, { shelf }) {
    for (const { at, texts } of script.segments) {
      yield { kind: "advance", to: at }
      for (const text of texts) {
        signal.throwIfAborted()
        const observed = yield { kind: "send", text: `${text} (asked of ${shelf})` }
        const heard = observed?.messages.some(
          ({ sender, text }) => sender === "agent" && text.includes(script.buyer.wants),
        )
        if (heard) return yield { kind: "end", outcome: "goal_reached" }
      }
    }
    yield { kind: "end", outcome: "abandoned" }
  },
}
