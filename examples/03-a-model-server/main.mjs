// Lets a model behind an OpenAI-compatible endpoint shop, twice, and compares the two runs. The endpoint is `souk mock-model`, so that
// no key and no network is needed.
import assert from "node:assert/strict"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtemp, rm } from "node:fs/promises"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { createInterface } from "node:readline"
import { compare, plan, readExperiment, run } from "souk"

process.env.MODEL_KEY = "anything" // experiment files name variables; they never hold keys
const cli = join(dirname(createRequire(import.meta.url).resolve("souk/package.json")), "dist/cli/main.js")
const server = spawn(process.execPath, [cli, "mock-model", "--port", "0", "--key-env", "MODEL_KEY", "--json"])
const [line] = await once(createInterface({ input: server.stdout }), "line")
const { url } = JSON.parse(line)
console.log(`a model is served at ${url}`)

const written = await readExperiment(join(import.meta.dirname, "experiment.yaml"))
const output_dir = await mkdtemp(join(tmpdir(), "souk-example-"))
const experiment = (name, changes) => ({
  ...written,
  experiment: { ...written.experiment, name, output_dir },
  model: { ...written.model, base_url: url, ...changes },
})

// Streaming is not what a model is: both have one fingerprint. Temperature is.
const [plain, streamed, warm] = [
  experiment("plain", {}),
  experiment("streamed", { stream: true }),
  experiment("warm", { stream: true, temperature: 0.7 }),
]
const fingerprint = async (spec) => (await plan(spec)).manifest.fingerprint
assert.equal(await fingerprint(plain), await fingerprint(streamed))
assert.notEqual(await fingerprint(plain), await fingerprint(warm))

const first = await run(plain)
const second = await run(warm)
for (const { summary } of [first, second]) {
  const { counts, primary, cost } = summary
  console.log(`${summary.name}: ${counts.scored} scored, success ${primary.success_rate}, tokens`, cost.tokens)
  assert.equal(counts.completed, 6)
}

const { differences, measures, warnings } = await compare(first.folder, second.folder)
console.log(`they differ in ${differences.map(({ path }) => path).join(", ")}; reward by`, measures.reward)
console.log(warnings.map(({ message }) => message).join("; "))
assert.deepEqual(
  differences.map(({ path }) => path),
  ["model.sampling.temperature"],
)
assert.equal(measures.reward.mean, 0) // this model does not look at the temperature

server.kill("SIGINT")
await once(server, "exit")
await rm(output_dir, { recursive: true })
