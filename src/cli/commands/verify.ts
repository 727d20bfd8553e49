import { AppError } from "../../core/errors.ts"
import type { Json } from "../../core/json.ts"
import type { Difference } from "../../run/verify.ts"
import { catalogNameOf, type RunVerification, verifyRun } from "../../run/verify-run.ts"
import { replayEnvironment } from "../../shop/replay.ts"
import { findRunFolder, readManifest } from "../../store/read.ts"
import { openNamedCatalog } from "../catalog-name.ts"
import { EXIT, type Register } from "../command.ts"
import { wholeNumber } from "../flags.ts"
import { progressBar } from "../progress-bar.ts"

interface VerifyFlags {
  readonly catalog?: string
  readonly sample?: string
  readonly allowOtherCatalog?: boolean
}

export const registerVerify: Register = (program, run) => {
  program
    .command("verify")
    .description("play a run's recorded actions again, and confirm what the shop said")
    .argument("<run>", "the run's folder")
    .option("--catalog <catalog>", "a catalog file, or bundled:zh, bundled:en, instead of the one the run names")
    .option("--sample <n>", "only n episodes, always the same ones")
    .option("--allow-other-catalog", "also on a catalog whose content is not that of the run's")
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      `
Pages, feedback, rewards, goals and ends have to be as recorded, to the last bit. No model is asked.
Exit codes: 0 all of it is confirmed · 1 something differs · 2 bad input · 3 not the catalog of the run

Examples:
  souk verify runs/first
  souk verify runs/theirs --catalog theirs.catalog --sample 50`,
    )
    .action(
      run(async (context, path: string, flags: VerifyFlags) => {
        const folder = findRunFolder(path)
        const manifest = readManifest(folder)
        const { suite } = manifest.plan
        if (suite !== "shopping") {
          throw new AppError(
            "BAD_INPUT",
            `${folder} is a run of the suite ${suite}; only what shopping agents did can be played again`,
          )
        }
        const name = flags.catalog ?? catalogNameOf(manifest)
        if (name === undefined) {
          throw new AppError("BAD_INPUT", `The run in ${folder} does not name its catalog; say which with --catalog`)
        }
        const sample = flags.sample === undefined ? undefined : wholeNumber(flags.sample, "--sample", { from: 1 })
        using catalog = await openNamedCatalog(name, context.signal)
        const bar = progressBar(context, "Verifying")
        let verification: RunVerification
        try {
          const { content_hash } = catalog.manifest
          verification = await verifyRun(
            folder,
            { name, contentHash: content_hash, open: (record) => replayEnvironment(catalog, record) },
            {
              ...(sample === undefined ? {} : { sample }),
              allowOtherCatalog: flags.allowOtherCatalog === true,
              signal: context.signal,
              onEpisode: ({ done, of, different }) =>
                bar.update(done, of, `${done} of ${of} episodes, ${different} differ`),
            },
          )
        } finally {
          bar.stop()
        }
        if (verification.different > 0) context.exitCode = EXIT.incomplete
        context.result({ run_dir: folder, ...verification }, verificationText(verification))
      }),
    )
}

function verificationText(verification: RunVerification): string {
  const { episodes, verified, different, empty, actions, catalog, recorded_content_hash, differences } = verification
  const rows = [`${verified} of ${episodes} episodes confirmed on ${catalog}, ${actions} actions`]
  if (empty > 0) rows.push(`${empty} ended before anything was played`)
  if (recorded_content_hash === null) rows.push("the run does not say which catalog it was played on")
  else if (recorded_content_hash !== verification.content_hash) rows.push("this is not the catalog it was played on")
  if (different > 0) rows.push(`${different} differ:`, ...differences.map(differenceText))
  if (different > differences.length) rows.push(`  and ${different - differences.length} more`)
  return rows.join("\n")
}

function differenceText({ episode_id, attempt, step, path, expected, found }: Difference): string {
  const place = `${episode_id}${attempt > 1 ? `, attempt ${attempt}` : ""}, step ${step}, ${path}`
  return `  ${place}\n    recorded: ${brief(expected)}\n    replayed: ${brief(found)}`
}

function brief(value: Json | undefined): string {
  if (value === undefined) return "nothing"
  const text = JSON.stringify(value)
  return text.length <= 200 ? text : `${text.slice(0, 197)}…`
}
