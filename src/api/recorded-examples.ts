// Responses that were recorded in tests and appear as examples in the API document. `npm run examples` writes
// recorded-examples.json, which is read when the document is built.

import { readFileSync } from 'node:fs'
import type { RecordedExamples } from '../platform/http/recorded-examples.ts'

/** Reads the recorded examples. */
export const recordedExamples = (): RecordedExamples =>
  JSON.parse(readFileSync(new URL('./recorded-examples.json', import.meta.url), 'utf8'))
