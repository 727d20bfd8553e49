import { describe, expect, it } from "vitest"
import { tinyAxes, tinyProduct, tinyShop, tinyTask } from "../testing/tiny-shop.ts"
import { observe } from "./observation.ts"
import { act, plannedSearch, replaySession, Session, type SessionStart, startSession, terminate } from "./session.ts"

const lamp = tinyProduct({
  asin: "000000000001",
  title: "床头台灯",
  axes: tinyAxes({ 颜色分类: { 黑色: "70", 白色: "80" }, 尺码: { M: null, L: null } }),
  pricing: ["70", "80"],
})
const plain = tinyProduct({ asin: "000000000002", title: "学生台灯" })
const many = Array.from({ length: 45 }, (_, i) =>
  tinyProduct({ asin: `1${String(i).padStart(11, "0")}`, title: "普通灯泡" }),
)
const task = tinyTask({ asin: "000000000001", options: ["白色"], price_upper: 100 })
const shop = tinyShop([lamp, plain, ...many], [task])

function play(actions: string[], start: Partial<SessionStart> = {}): Session {
  return replaySession({ task, ...start }, actions, shop)
}
const state = (session: Session) => observe(session, shop).state
const OPEN_LAMP = ["search[床头台灯]", "click[000000000001]"]

describe("session", () => {
  it("begins on the search page with nothing to click", () => {
    expect(state(play([]))).toEqual({
      observation_version: "souk-observation-1",
      page_type: "search_home",
      search_available: true,
      actions: [],
    })
  })

  it("goes from search to results to a product and back, page by page", () => {
    const session = play(["search[灯泡]", "click[next >]", "click[100000000025]"])
    expect(session).toMatchObject({ page: "product_detail", result_page: 2 })
    const back = act(session, "click[< prev]", shop).session
    expect(state(back)).toMatchObject({ page_type: "search_results", page: 2, rank_start: 21, rank_end: 40 })
    const first = act(back, "click[< prev]", shop).session
    expect(state(first)).toMatchObject({ page: 1, actions: expect.not.arrayContaining(["< prev"]) })
    expect(act(first, "click[back to search]", shop).session).toMatchObject({
      page: "search_home",
      hits: [],
      product: null,
    })
  })

  it("offers previous and next only where there are such pages", () => {
    const buttons = (session: Session) => state(session).actions.slice(0, 3)
    expect(buttons(play(["search[灯泡]"]))).toEqual(["back to search", "next >", "100000000000"])
    expect(buttons(play(["search[灯泡]", "click[next >]"]))).toEqual(["back to search", "< prev", "next >"])
    expect(buttons(play(["search[灯泡]", "click[next >]", "click[next >]"]))).toEqual([
      "back to search",
      "< prev",
      "100000000040",
    ])
  })

  it("opens only what the current page shows", () => {
    const session = play(["search[灯泡]"])
    expect(act(session, "click[100000000025]", shop).feedback).toMatchObject({
      valid: false,
      reason: "unavailable_action",
    })
    expect(act(session, "click[000000000001]", shop).feedback.reason).toBe("unavailable_action")
  })

  it("forgets selections on the way to another product, and keeps nothing of a product in its state but numbers", () => {
    const chosen = play([...OPEN_LAMP, "click[颜色分类=白色]"])
    expect(chosen.selected).toEqual([[0, 1]])
    expect(act(chosen, "click[< prev]", shop).session).toMatchObject({ selected: [], product: null })
  })

  it("lists options without the chosen value, and buy now once all axes are chosen", () => {
    const one = play([...OPEN_LAMP, "click[尺码=m]"])
    expect(state(one).actions).toEqual(["back to search", "< prev", "颜色分类=黑色", "颜色分类=白色", "尺码=l"])
    const both = act(one, "click[颜色分类=白色]", shop).session
    expect(state(both).actions).toEqual(["back to search", "< prev", "buy now", "颜色分类=黑色", "尺码=l"])
  })

  it("sells a product without options at once", () => {
    const bought = play(["search[学生台灯]", "click[000000000002]", "click[buy now]"])
    expect(bought).toMatchObject({
      page: "terminal",
      end: { reason: "purchase", purchase: { asin: "000000000002", options: {} } },
    })
  })

  it("scores a purchase against the task", () => {
    const bought = play([...OPEN_LAMP, "click[颜色分类=白色]", "click[尺码=l]", "click[buy now]"])
    expect(bought.end).toMatchObject({
      reason: "purchase",
      reward: 1,
      purchase: { asin: "000000000001", price: 80, options: { 颜色分类: "白色", 尺码: "l" } },
    })
    expect(state(bought)).toMatchObject({ page_type: "terminal", actions: [], search_available: false })
  })

  it("quotes the bought product's own first instruction in v8's record, and no instruction in souk's", () => {
    const buy = [...OPEN_LAMP, "click[颜色分类=白色]", "click[尺码=l]", "click[buy now]"]
    expect(play(buy, { rules: "v8" }).end?.purchase).toHaveProperty("instruction_text", task.instruction)
    expect(
      play(["search[学生台灯]", "click[000000000002]", "click[buy now]"], { rules: "v8" }).end?.purchase,
    ).toHaveProperty("instruction_text", null)
    expect(play(buy, { rules: "souk" }).end?.purchase).not.toHaveProperty("instruction_text")
  })
})

describe("feedback", () => {
  const feedback = (actions: string[], response: string, start: Partial<SessionStart> = {}) =>
    act(play(actions, start), response, shop).feedback

  it.each([
    [[], "search[a", "invalid_format", "动作必须严格使用 search[...] 或 click[...] 格式"],
    [[], "", "invalid_format", "动作不能为空"],
    [[], "a\nb", "invalid_format", "动作格式无效"],
    [[], "buy[now]", "invalid_format", "动作必须使用 search[...] 或 click[...] 格式"],
    [[], "search[a] click[b]", "multiple_actions_not_allowed", "一次调用只能执行一个 search[...] 或 click[...] 动作"],
    [[], "search[　]", "empty_argument", "search[...] 的关键词不能为空"],
    [[], "click", "empty_argument", "click[...] 的点击值不能为空"],
    [[], "click[buy now]", "unavailable_action", "当前页面不存在可点击项：buy now"],
    [["search[灯泡]"], "search[台灯]", "search_unavailable", "当前页面不提供搜索操作"],
    [OPEN_LAMP, "search[台灯]", "search_unavailable", "当前页面不提供搜索操作"],
    [[...OPEN_LAMP, "click[尺码=l]"], "click[尺码=l]", "already_selected", "该规格已经选中：尺码=l"],
    [[...OPEN_LAMP, "click[尺码=l]"], "click[buy now]", "incomplete_options", "购买前还需选择规格轴：颜色分类"],
    [OPEN_LAMP, "click[尺码=XL]", "unavailable_action", "当前页面不存在可点击项：尺码=XL"],
    [OPEN_LAMP, "click[尺码]", "unavailable_action", "当前页面不存在可点击项：尺码"],
    [OPEN_LAMP, "click[Back To Search]", "unavailable_action", "当前页面不存在可点击项：Back To Search"],
  ])("after %j, %j is %s", (before, response, reason, message) => {
    expect(feedback(before, response)).toMatchObject({ action: response, valid: false, reason, message })
  })

  it("names the axes that are missing", () => {
    expect(feedback(OPEN_LAMP, "click[buy now]")).toEqual({
      action: "click[buy now]",
      valid: false,
      reason: "incomplete_options",
      message: "购买前还需选择规格轴：颜色分类、尺码",
      missing_option_axes: ["颜色分类", "尺码"],
    })
  })

  it("says what was done", () => {
    expect(feedback([], "search[灯泡]")).toEqual({
      action: "search[灯泡]",
      valid: true,
      reason: "executed",
      message: "搜索已执行",
    })
    expect(feedback(OPEN_LAMP, "click[尺码=l]")).toMatchObject({ valid: true, message: "点击已执行" })
    const ready = [...OPEN_LAMP, "click[尺码=l]", "click[颜色分类=黑色]"]
    expect(feedback(ready, "click[buy now]")).toMatchObject({ valid: true, reason: "executed", message: "购买已执行" })
  })

  it("speaks English in an English catalog under souk's rules, Chinese under v8's", () => {
    expect(feedback(OPEN_LAMP, "click[buy now]", { language: "en" }).message).toBe(
      "Choose these options before buying: 颜色分类, 尺码",
    )
    expect(feedback([], "search[灯泡]", { language: "en", rules: "v8" }).message).toBe("搜索已执行")
  })

  it("answers a response that is no text", () => {
    expect(act(play([]), null, shop).feedback).toEqual({
      action: "",
      valid: false,
      reason: "invalid_format",
      message: "动作必须是字符串",
    })
  })
})

describe("the end of a session", () => {
  const idle = (count: number) => Array.from({ length: count }, () => "click[nothing]")

  it.each([
    ["single_turn", 30],
    ["multi_turn", 40],
  ] as const)("comes after the last action of %s, whatever that was", (mode, limit) => {
    expect(play(idle(limit - 1), { mode }).end).toBeNull()
    const ended = play(idle(limit), { mode })
    expect(ended.end).toMatchObject({
      reason: "action_limit",
      reward: 0,
      purchase: null,
      reward_detail: { r_strict: 0 },
    })
    expect(() => act(ended, "search[a]", shop)).toThrow(expect.objectContaining({ code: "CONFLICT" }))
  })

  it("is a purchase when the last action is one", () => {
    const session = play([...idle(27), "search[学生台灯]", "click[000000000002]", "click[buy now]"])
    expect(session).toMatchObject({ counters: { actions: 30 }, end: { reason: "purchase" } })
  })

  it("shows the page it happened on in v8, and the terminal page in souk", () => {
    const actions = [...idle(29), "search[学生台灯]"]
    expect(state(play(actions, { rules: "v8" }))).toMatchObject({
      page_type: "search_results",
      actions: expect.arrayContaining(["000000000002"]),
    })
    expect(state(play(actions, { rules: "souk" }))).toMatchObject({
      page_type: "terminal",
      actions: [],
      search_available: false,
    })
  })

  it("can come from outside, once", () => {
    const ended = terminate(play(["search[灯泡]"], { rules: "v8" }), "generation_length")
    expect(ended).toMatchObject({ page: "search_results", end: { reason: "generation_length", reward: 0 } })
    expect(ended.end?.reward_detail.termination_reason).toBe("generation_length")
    expect(() => terminate(ended, "action_limit")).toThrow(expect.objectContaining({ code: "CONFLICT" }))
    // @ts-expect-error callers in JavaScript may pass anything
    expect(() => terminate(play([]), "bored")).toThrow(expect.objectContaining({ code: "BAD_INPUT" }))
  })

  it("is refused to a task whose product the catalog does not have", () => {
    const lost = { ...task, asin: "999999999999" }
    const buy = ["search[学生台灯]", "click[000000000002]", "click[buy now]"]
    expect(() => replaySession({ task: lost }, buy, shop)).toThrow(expect.objectContaining({ code: "CATALOG_CORRUPT" }))
  })
})

describe("queries", () => {
  it.each([
    "search_results",
    "item_page done",
    "back to search",
    "http://x/done?a=b",
    "<r>",
    "<c> 家用›杂货",
    "<a> x",
    "<c>",
  ])("may hold %j without harm", (query) => {
    const session = play([`search[${query} 床头台灯]`])
    expect(session).toMatchObject({ page: "search_results", query: `${query} 床头台灯` })
    expect(act(session, "click[000000000001]", shop)).toMatchObject({
      feedback: { valid: true },
      session: { page: "product_detail" },
    })
    expect(play([`search[${query}]`]).hits.length).toBeLessThan(47) // words to look for, not commands
  })

  it("are kept as typed and shown as searched", () => {
    const session = play(["search[ 台灯　100 CNY！ ]"])
    expect(state(session)).toMatchObject({ search_text: " 台灯　100 CNY！ ", normalized_search_text: "台灯 100元" })
  })

  it("are known before they are run", () => {
    expect(plannedSearch(play([]), "Action: search[台灯]")).toBe("台灯")
    for (const response of ["search[ ]", "click[台灯]", "search[a", "search", "", null])
      expect(plannedSearch(play([]), response)).toBeUndefined()
    expect(plannedSearch(play(["search[灯泡]"]), "search[台灯]")).toBeUndefined()
    expect(plannedSearch(terminate(play([]), "action_limit"), "search[台灯]")).toBeUndefined()
  })
})

describe("a session as data", () => {
  it("is plain JSON and small", () => {
    const session = play(
      ["search[灯泡]", "click[next >]", "click[100000000025]", "click[buy now]", "click[x]"].slice(0, 3),
    )
    const text = JSON.stringify(session)
    expect(Session.parse(JSON.parse(text))).toEqual(session)
    expect(text.length - JSON.stringify(task).length).toBeLessThan(1_500)
  })

  it("counts what behaviour metrics ask for", () => {
    const { counters, queries, opened } = play([
      "search[台灯]",
      "click[000000000001]",
      "click[尺码=l]",
      "click[尺码=m]",
      "click[buy now]",
      "click[< prev]",
      "click[000000000001]",
      "click[back to search]",
      "search[台灯！]",
    ])
    expect(counters).toEqual({
      actions: 9,
      valid_actions: 8,
      invalid_actions: 1,
      searches: 2,
      product_opens: 2,
      product_revisits: 1,
      backtracks: 2,
      pagination: 0,
      option_selections: 2,
      option_changes: 1,
    })
    expect({ queries, opened }).toEqual({ queries: ["台灯"], opened: [0] })
    expect(play(["search[灯泡]", "click[next >]", "click[< prev]"]).counters.pagination).toBe(2)
  })

  it("refuses modes and rules that do not exist", () => {
    // @ts-expect-error callers in JavaScript may pass anything
    expect(() => startSession({ task, mode: "three_turn" })).toThrow(expect.objectContaining({ code: "BAD_INPUT" }))
    // @ts-expect-error callers in JavaScript may pass anything
    expect(() => startSession({ task, rules: "v7" })).toThrow(expect.objectContaining({ code: "BAD_INPUT" }))
  })
})
