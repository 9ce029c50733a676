// Makes records through the API.

import assert from 'node:assert/strict'
import type { Caller } from '../support/harness.ts'

/** Makes a record, and returns its id. */
export async function make(caller: Caller, path: string, body: object): Promise<string> {
  const { status, body: answer } = await caller.post(path, body)
  assert.equal(status, 201, `${path}: ${JSON.stringify(answer)}`)
  return Object.values(answer)[0] as string
}
