import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openPrinters } from '../../../../support/given-paper-printers.ts'
import { openWaves } from '../../../../support/given-waves.ts'
import { linesOf, textOf } from '../../../../support/pdf.ts'

const world = await openWaves()
const { admin, clientId, warehouseId, stored, fresh, startedWave } = world
const { printers, job } = await openPrinters(world, warehouseId)

const pagesOf = async (jobId: string, caller = admin) => {
  const { status, bytes } = await caller.get(`/v1/jobs/${jobId}/wave-pick/picking-list-pdf`)
  assert.equal(status, 200, bytes.toString())
  return linesOf(bytes)
}

test('parallel picking shows the share of each consignment in every row', async () => {
  const a = await fresh()
  await stored(20, { productId: a.productId })
  const { jobId } = await startedWave([[{ ...a, quantity: 4 }], [{ ...a, quantity: 3 }]], { style: 1 })
  const pages = await pagesOf(jobId)
  assert.equal(pages.length, 1)
  const text = pages.flat().join('\n')
  assert.match(text, /Wave pick list/)
  assert.match(text, new RegExp(`A-01 ${a.productCode} 7`))
  assert.match(text, /4 for #1 T\w+-\d+/)
  assert.match(text, /3 for #2 T\w+-\d+/)
})

test('bulk picking has total quantities, and a page for each consignment', async () => {
  const a = await fresh()
  await stored(20, { productId: a.productId })
  const { jobId } = await startedWave([[{ ...a, quantity: 4 }], [{ ...a, quantity: 3 }]], { style: 2 })
  const [first = [], ...others] = await pagesOf(jobId)
  assert.match(first.join('\n'), new RegExp(`A-01 ${a.productCode} 7`))
  assert.equal(others.length, 2)
  for (const [i, quantity] of [4, 3].entries()) {
    assert.match(others[i]?.join('\n') ?? '', new RegExp(`#${i + 1} T\\w+-\\d+`))
    assert.match(others[i]?.join('\n') ?? '', new RegExp(`${a.productCode} ${quantity}`))
  }
})

test('users of the client can download it, others cannot', async () => {
  const { jobId } = await startedWave([[{ ...(await fresh()), quantity: 1 }]], { style: 1 })
  await pagesOf(jobId, world.as(admin, { partnerId: clientId }))
  assert.match((await pagesOf(jobId)).flat().join('\n'), /Nothing is left to pick/)
  assert.equal(
    (await (await world.stranger()).get(`/v1/jobs/${jobId}/wave-pick/picking-list-pdf`)).status,
    404,
  )
})

test('it can be printed', async () => {
  const { jobId } = await startedWave([[{ ...(await fresh()), quantity: 1 }]], { style: 1 })
  const { status, body } = await admin.post(`/v1/jobs/${jobId}/wave-pick/picking-list-pdf/print`, {
    printOption: { printerId: printers.document },
  })
  assert.equal(status, 200, JSON.stringify(body))
  const { content, kind, partnerId, consignmentId } = await job(body.printJobId)
  assert.deepEqual([kind, partnerId, consignmentId], [3, clientId, null])
  assert.match(await textOf(content), /Wave pick list/)
})
