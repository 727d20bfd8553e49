import { existsSync, writeFileSync } from "node:fs"
import { dirname, relative, resolve } from "node:path"
import { Option } from "commander"
import { AppError, messageOf } from "../../core/errors.ts"
import { packageFolder } from "../../lib/package-version.ts"
import type { Register } from "../command.ts"
import { SERVERS, type Server, serviceStarterFile, starterFile } from "../init-file.ts"

const SUITES = ["shopping", "service"] as const

interface InitFlags {
  readonly for: Server
  readonly suite: (typeof SUITES)[number]
  readonly force?: boolean
}

export const registerInit: Register = (program, run) => {
  program
    .command("init")
    .description("write a commented experiment file to start from")
    .argument("[file]", "where to write it", "experiment.yaml")
    .addOption(new Option("--for <server>", "what serves the model").choices(SERVERS).default("builtin"))
    .addOption(new Option("--suite <suite>", "what is evaluated").choices(SUITES).default("shopping"))
    .option("--force", "overwrite the file if it is there")
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      `
Examples:
  souk init
  souk init qwen.yaml --for vllm
  souk init service.yaml --suite service`,
    )
    .action(
      run((context, file: string, flags: InitFlags) => {
        const path = resolve(file)
        if (existsSync(path) && flags.force !== true) {
          throw new AppError("REFUSED", `${file} is there already; --force overwrites it, or name another file`)
        }
        const schema = relative(dirname(path), resolve(packageFolder(), "schema/experiment.schema.json"))
        try {
          writeFileSync(path, (flags.suite === "service" ? serviceStarterFile : starterFile)(flags.for, schema))
        } catch (error) {
          throw new AppError("BAD_INPUT", `Cannot write ${file}: ${messageOf(error)}`, { cause: error })
        }
        context.result(
          { file: path, suite: flags.suite, for: flags.for },
          `Wrote ${file}. Look at it, then:  souk plan ${file}`,
        )
      }),
    )
}
