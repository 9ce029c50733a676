// Answers and refusals that endpoints gave in tests, which the API document shows: `npm run examples` writes
// the file beside this one, which is read when the document is made.

import { readFileSync } from 'node:fs'
import type { RecordedExamples } from '../platform/http/recorded-examples.ts'

/** What was recorded. */
export const recordedExamples = (): RecordedExamples =>
  JSON.parse(readFileSync(new URL('./recorded-examples.json', import.meta.url), 'utf8'))
