import { expect, it } from "vitest"
import { z } from "zod"
import { CASE_SCHEMA, CaseRecord, FirstReply } from "../src/core/case-record.ts"
import { fingerprint } from "../src/core/fingerprint.ts"
import type { Json } from "../src/core/json.ts"
import { Verdict } from "../src/core/verdict.ts"
import { SCRIPT_SCHEMA, Script } from "../src/service/script.ts"

/*
 * What targets, worlds and judges share. A digest that changes means records and scripts that others wrote may no longer be read as
 * they were meant: a new optional member is fine (change the digest), anything else needs a new version.
 */
it("the forms of the service contract are those of its version", () => {
  const digest = (schema: z.ZodType) =>
    fingerprint(z.toJSONSchema(schema, { unrepresentable: "any", io: "input" }) as Json).slice(0, 16)
  expect({
    [CASE_SCHEMA]: digest(CaseRecord),
    [SCRIPT_SCHEMA]: digest(Script),
    first_reply: digest(FirstReply),
    verdict: digest(Verdict),
  }).toMatchInlineSnapshot(`
    {
      "first_reply": "345be79d8740e37d",
      "souk.case/1": "0dbabe2efa6341f4",
      "souk.script/1": "2ccc01f53f8bbd2b",
      "verdict": "07f428298367d4d6",
    }
  `)
})
