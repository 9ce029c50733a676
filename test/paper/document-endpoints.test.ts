// What the endpoints of all documents have in common.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { documentEndpoints } from '../../src/paper/document-endpoints.ts'
import { Refusal } from '../../src/platform/http/refusal.ts'
import { rendererPids } from '../../src/platform/renderer/renderer.ts'
import { PrintJobKind } from '../../src/vocabulary/paper.ts'

const header = {
  ...{ organisationName: 'Southern Storage', printedBy: null, paperSize: 1, clientName: 'Kauri Foods' },
  ...{ printedLocal: '2026-11-21T15:04:00Z', printedUtc: '2026-11-21T02:04:00.000Z' },
  ...{ clientLogo: null, organisationLogo: null },
}

/** Downloads a document with `lines` lines of a text, in tables of at most a thousand. */
async function fileOf(lines: number, maxLines?: number, text = 'HONEY') {
  const tables = Array.from({ length: Math.ceil(lines / 1_000) }, (_, i) => ({
    kind: 'table' as const,
    columns: [{ label: 'Product', width: '1fr' as const }],
    rows: Array.from({ length: Math.min(1_000, lines - i * 1_000) }, () => ({ cells: [text] })),
  }))
  const [download] = documentEndpoints({
    ...{ path: '/v1/things/:thingId/thing-pdf', name: 'Thing', partners: 'none', subject: 'a thing' },
    ...{ scope: 'consignment.read', kind: PrintJobKind.ConsignmentDetail, options: {} },
    ...(maxLines === undefined ? {} : { maxLines }),
    read: async () => ({
      ...{ title: 'Thing', number: '1', header, blocks: tables, partnerId: '', consignmentId: null },
    }),
  })
  const request = { actor: { organisationId: 'x' }, params: {}, query: {} }
  return download?.handle(request as never)
}

test('five documents of 5,000 lines with long descriptions are refused before they are rendered', async () => {
  const before = rendererPids()
  const documents = Array.from({ length: 5 }, () => fileOf(5_000, undefined, 'honey '.repeat(583)))
  for (const document of documents)
    await assert.rejects(document, (error: Refusal) => {
      assert.equal(error.status, 400)
      assert.match(error.messages.join(), /at most 1000000 characters; this one would have 17490\d+/)
      return error instanceof Refusal
    })
  assert.deepEqual(rendererPids(), before)
})

test('a document with more lines than its kind allows is refused before it is rendered', async () => {
  await assert.rejects(fileOf(5_001), (error: Refusal) => {
    assert.equal(error.status, 400)
    assert.match(error.messages.join(), /at most 5000 lines; this one would have 5001/)
    return error instanceof Refusal
  })
  await assert.rejects(fileOf(4, 3), Refusal)
  assert.ok(await fileOf(3, 3))
})
