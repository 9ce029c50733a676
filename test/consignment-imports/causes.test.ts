import assert from 'node:assert/strict'
import { test } from 'node:test'
import { line, openImports } from '../support/given-imports.ts'

const given = await openImports()
const { world, drain, imported, post, read, events, exists, clientId } = given
const { admin } = world

for (const [code, name] of [
  ['KAU-001', 'Honey'],
  ['KAU-003', 'Manuka'],
  ['KAU-004', 'Comb'],
] as const)
  assert.equal((await admin.post(`/v1/partners/${clientId}/products`, { code, name })).status, 201)

const ordering = (productCode: string, more: object = {}) =>
  imported({ products: [line({ productCode })], ...more })
const causes = async () => (await admin.get('/v1/consignment-imports/causes')).body.causes
const reconcileMany = (body: object, caller = admin) =>
  caller.post('/v1/consignment-imports/reconcile-many', { clientCode: 'KAURI', ...body })

test('each cause is told once, with the imports that wait for it and the records that it may mean', async () => {
  const oldest = await ordering('KAU-0O3')
  await ordering('kau-0o3')
  await ordering('KAU-0O3', { carrierCode: 'NOBODY' })
  const found = await causes()
  assert.deepEqual(
    found.map(({ kind, code, clientCode, n }: Record<string, unknown>) => [kind, code, clientCode, n]),
    [
      ['product', 'KAU-0O3', 'KAURI', 3],
      ['carrier', 'NOBODY', 'KAURI', 1],
    ],
  )
  const { receivedUtc, reasons } = { ...(await read(oldest)) }
  assert.deepEqual([found[0].oldestUtc, found[0].message], [receivedUtc, reasons[0].message])
  // A letter O for a zero is less of a difference than another digit.
  assert.deepEqual(found[0].nearest[0], { code: 'KAU-003', name: 'Manuka' })
  assert.deepEqual(found[1].nearest, [])
})

test('the imports of a cause can be listed', async () => {
  const listed = async (query: string) =>
    (await admin.get(`/v1/consignment-imports?${query}`)).body.consignmentImports.length
  assert.equal(await listed('Kind=product&Code=kau-0o3&ClientCode=kauri'), 3)
  assert.equal(await listed('Kind=carrier'), 1)
  assert.equal(await listed('Code=KAU-0O3&ClientCode=OTHER'), 0)
  assert.equal(await listed('ReceivedFrom=2026-01-01T00:00:00Z&Kind=product'), 3)
  assert.equal(await listed('ReceivedTo=2026-01-01T00:00:00Z'), 0)
})

test('a code is replaced in all imports that wait for it; one with another fault keeps the replacement', async () => {
  const answer = await reconcileMany({ kind: 'product', code: 'kau-0o3', replacement: 'KAU-003' })
  assert.deepEqual([answer.status, answer.body.left], [200, 0])
  assert.deepEqual(
    answer.body.results.map(({ result }: { result: number }) => result),
    [1, 1, 2],
  )
  const [first, , last] = answer.body.results
  assert.equal(await exists(first.consignmentImportId), 201)
  assert.deepEqual(await events(first.consignmentImportId), [110, 101, 111])
  assert.deepEqual(last.messages, ['carrierCode: There is no carrier with the code NOBODY.'])
  await drain()
  const { reasons, replacements } = await read(last.consignmentImportId)
  assert.deepEqual(
    reasons.map(({ kind }: { kind: string }) => kind),
    ['carrier'],
  )
  assert.equal(replacements[0].replacement, 'KAU-003')
  const again = await reconcileMany({ kind: 'carrier', code: 'NOBODY', replacement: 'SWF' })
  assert.deepEqual(again.body.results[0].result, 1)
  assert.deepEqual(await causes(), [])
})

test('a replacement that is remembered serves the imports that come later', async () => {
  const id = await ordering('HONEY')
  const answer = await reconcileMany({
    kind: 'product',
    code: 'HONEY',
    replacement: 'KAU-001',
    remember: true,
  })
  assert.deepEqual(answer.body.results, [{ consignmentImportId: id, result: 1, messages: [] }])
  const { codeAliases } = (await admin.get(`/v1/partners/${clientId}/code-aliases`)).body
  assert.deepEqual(
    codeAliases.map(({ kind, code, replacement }: Record<string, string>) => [kind, code, replacement]),
    [['product', 'HONEY', 'KAU-001']],
  )
  const later = await ordering('honey')
  assert.equal(await exists(later), 201)
  assert.deepEqual((await read(later)).replacements, [
    { kind: 'product', code: 'honey', replacement: 'KAU-001' },
  ])
  const { body } = await admin.get(`/v1/consignments/${later}`)
  assert.ok(JSON.stringify(body).includes('KAU-001'))
})

test('imports are tried again as they are, and one that cannot become a consignment says why', async () => {
  const id = await imported({ consignmentType: 1, serviceTypeCodes: ['COLD'] })
  const answer = await reconcileMany({ kind: 'serviceType', code: 'COLD', replacement: null })
  assert.deepEqual(answer.body, {
    results: [
      {
        consignmentImportId: id,
        result: 2,
        messages: ['serviceTypeCodes[0]: There is no service type with the code COLD.'],
      },
    ],
    left: 0,
  })
})

test('a replacement that POST would refuse changes nothing', async () => {
  const id = await imported({
    tasks: [
      { taskTypeCode: 'WRAP', value: 1 },
      { taskTypeCode: 'WRAX', value: 2 },
    ],
  })
  const before = await read(id)
  const answer = await reconcileMany({ kind: 'taskType', code: 'WRAX', replacement: 'WRAP' })
  assert.deepEqual(answer.body.results, [
    {
      consignmentImportId: id,
      result: 3,
      messages: ['tasks[1].taskTypeCode must not be given a second time.'],
    },
  ])
  assert.deepEqual(await read(id), before)
})

test('only codes have replacements, and only what can be found again is remembered', async () => {
  const faults = async (body: object) => (await reconcileMany(body)).body.ErrorMessages
  assert.deepEqual(await faults({ kind: 'manual', code: null, replacement: 'X' }), [
    'replacement must be null: a reason of kind manual is not about a code.',
  ])
  assert.deepEqual(await faults({ kind: 'product', code: 'X', replacement: null, remember: true }), [
    'remember needs a clientCode, and a code of another kind with its replacement.',
  ])
  assert.deepEqual(await faults({ kind: 'product', code: 'X', replacement: 'NOTHING', remember: true }), [
    'replacement is not the code of an active product of the client.',
  ])
})

test('a client sees and corrects its own imports only', async () => {
  const other = await admin.post('/v1/partners', { name: 'Rata', code: 'RATA', relationship: 1 })
  const client = world.as(admin, { partnerId: Object.values(other.body)[0] as string })
  const foreign = await ordering('NONE-1')
  const own = await post({ clientCode: 'RATA', products: [line({ productCode: 'NONE-1' })] }, client)
  await drain()
  const { causes: seen } = (await client.get('/v1/consignment-imports/causes')).body
  assert.deepEqual(
    seen.map(({ code, clientCode, n }: Record<string, unknown>) => [code, clientCode, n]),
    [['NONE-1', 'RATA', 1]],
  )
  const answer = await client.post('/v1/consignment-imports/reconcile-many', {
    ...{ kind: 'product', code: 'NONE-1', replacement: null },
  })
  assert.deepEqual(
    answer.body.results.map(({ consignmentImportId }: Record<string, string>) => consignmentImportId),
    [own],
  )
  assert.equal((await read(foreign)).status, 2)
  const toAnother = { kind: 'client', code: 'RATA', replacement: 'KAURI' }
  assert.equal((await client.post('/v1/consignment-imports/reconcile-many', toAnother)).status, 403)
})
