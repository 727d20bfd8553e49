// One measurement in a fresh process, with the package as it is built: `node child.mjs JOB CATALOG [COUNT]`.
// Sends what it found to its parent, and ends when the parent lets go of it.
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { act, observe, openCatalog, shopOf, startSession } from "souk/shop"

const TOP = 150
const WARM_UPS = 8
const [job, path, count] = process.argv.slice(2)
const jobs = { open, search, reducer, episodes }

process.send(await jobs[job](path, Number(count)))

/** Milliseconds of the clock and of the processor (all threads) that `work` takes. */
function timed(work) {
  const cpu = process.cpuUsage()
  const start = performance.now()
  work()
  const wall_ms = performance.now() - start
  const { user, system } = process.cpuUsage(cpu)
  return { wall_ms, cpu_ms: (user + system) / 1000 }
}

function facts() {
  const { user, system } = process.cpuUsage()
  return { cpu_ms: (user + system) / 1000, rss_mb: process.memoryUsage.rss() / 1e6 }
}

/** Ready to search: from nothing to an open catalog with its index. */
function open(path) {
  openCatalog(path).engine()
  return facts()
}

/** Queries of four classes in turn: a kind of goods, that with attributes, a whole title, a shopper's request. */
function search(path, perClass) {
  const catalog = openCatalog(path)
  const engine = catalog.engine()
  const classes = queriesOf(catalog, perClass + WARM_UPS)
  const names = Object.keys(classes)
  for (let i = 0; i < WARM_UPS; i++) engine.search(classes[names[i % names.length]][perClass + i], TOP)
  const times = Object.fromEntries(names.map((name) => [name, []]))
  for (let i = 0; i < perClass; i++) {
    for (const name of names) times[name].push(timed(() => engine.search(classes[name][i], TOP)))
  }
  return { warm_ups: WARM_UPS, times }
}

function queriesOf(catalog, count) {
  const tasks = [...catalog.tasks()]
  const spread = (i, of) => Math.floor((i * 7919 + 13) % of) // a prime apart, so that neighbours are no kin
  const pick = (i) => catalog.product(spread(i, catalog.productCount))
  const leaf = ({ category }) => category.split("›").at(-1).trim()
  const numbers = Array.from({ length: count }, (_, i) => i)
  return {
    leaf: numbers.map((i) => leaf(pick(i))),
    leaf_attrs: numbers.map((i) => [leaf(pick(i)), ...pick(i).attributes.slice(0, 1 + (i % 3))].join(" ")),
    title: numbers.map((i) => pick(i).title),
    instruction: numbers.map((i) => tasks[spread(i, tasks.length)].instruction),
  }
}

/** Steps with the page written out, in the mix search : open : option : buy = 1 : 1 : 2 : 1, each episode another task. */
function reducer(path, episodes) {
  const catalog = openCatalog(path)
  const shop = shopOf(catalog)
  const plays = playsOf(catalog, shop)
  const { language } = catalog.manifest
  let next = 0
  let characters = 0
  const playSome = (rules, some) => {
    for (let i = 0; i < some; i++) {
      const { task, actions } = plays[next++ % plays.length]
      let session = startSession({ task, rules, language })
      for (const action of actions) {
        const step = act(session, action, shop)
        if (!step.feedback.valid) throw new Error(`${action} was not valid: ${step.feedback.message}`)
        session = step.session
        characters += observe(session, shop).text.length
      }
    }
  }
  const slices = { souk: [], v8: [] }
  const slice = Math.ceil(episodes / 10)
  for (const rules of Object.keys(slices)) playSome(rules, 2 * slice)
  for (let i = 0; i < 10; i++) {
    for (const rules of Object.keys(slices)) {
      slices[rules].push({ steps: 5 * slice, ...timed(() => playSome(rules, slice)) })
    }
  }
  return { plays: plays.length, warm_up_steps: 10 * slice, slices, characters }
}

/** Whole episodes with the `lexical` agent, recorded as any run is. */
async function episodes(path, count) {
  const { run } = await import("souk")
  const folder = mkdtempSync(join(tmpdir(), "souk-bench-"))
  const play = async (name, sample_size) => {
    const cpu = process.cpuUsage()
    const start = performance.now()
    const { summary } = await run({
      experiment: { name, output_dir: folder, concurrency: 4 },
      tasks: { split: "all", sample_size },
      environment: { catalog: path },
      model: { name: "lexical" },
    })
    const { user, system } = process.cpuUsage(cpu)
    if (summary.counts.scored !== sample_size) throw new Error(`${summary.counts.scored} of ${sample_size} were scored`)
    return { episodes: sample_size, wall_ms: performance.now() - start, cpu_ms: (user + system) / 1000 }
  }
  try {
    const some = Math.min(Math.ceil(count / 5), openCatalog(path).taskCount)
    await play("warm-up", some)
    const rounds = []
    for (let i = 0; i < 5; i++) rounds.push(await play(`round-${i}`, some))
    return { warm_up_episodes: some, rounds }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The search of each task that leads, on the first page, to a product on which exactly two options have to be chosen. */
function playsOf(catalog, shop) {
  const plays = []
  for (const task of catalog.tasks()) {
    const found = shop
      .search(task.instruction, TOP)
      .slice(0, 20)
      .map(shop.product)
      .find(({ axes }) => axes.length === 2)
    if (found === undefined) continue
    const search = `search[${task.instruction.replace(/[[\]]/g, " ")}]`
    const searched = [search, `click[${found.asin}]`]
    let session = startSession({ task, language: catalog.manifest.language })
    for (const action of searched) session = act(session, action, shop).session
    const { actions } = observe(session, shop).state
    const options = found.axes.map(({ name }) => actions.find((label) => label.startsWith(`${name}=`)))
    if (options.every((label) => label !== undefined)) {
      plays.push({ task, actions: [...searched, ...options.map((label) => `click[${label}]`), "click[buy now]"] })
    }
  }
  if (plays.length === 0) throw new Error("no task leads to a product with two options")
  return plays
}
