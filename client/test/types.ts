// Calls that must not compile, and the types of those that must. `npm run check` compiles this file; nothing
// runs it.

import { createWaybill, orThrow } from '../src/waybill.ts'

const waybill = createWaybill({
  baseUrl: 'https://waybill.example.com',
  clientId: 'id',
  clientSecret: 'secret',
})
const params = { path: { consignmentId: '0190a6e2-0000-7000-8000-000000000000' } }

/** Calls and the types of their responses. */
export async function typed(): Promise<void> {
  const { name, unitTypes } = orThrow(
    await waybill.GET('/v1/partners/{partnerId}', { params: { path: { partnerId: 'id' } } }),
  )
  name satisfies string
  unitTypes satisfies { id: string }[]
  const noteId = orThrow(
    await waybill.POST('/v1/consignments/{consignmentId}/notes', { params, body: { note: 'Fragile' } }),
  )
  noteId satisfies string
  for await (const { consignmentNumber, ediStatus } of waybill.pages('/v1/consignments', {
    query: { Status: 1 },
  })) {
    consignmentNumber satisfies string
    ediStatus satisfies number | null
  }
  for await (const event of waybill.follow({ types: [101, 112] })) {
    event.sequence satisfies number
    if (event.type === 'consignment.status.updated') event.data.previousStatus satisfies number
  }
  for await (const { fafPercent } of waybill.pages('/v1/faf-profiles/{fafProfileId}/rates', {
    path: { fafProfileId: 'id' },
  })) {
    fafPercent satisfies number
  }
}

/** Calls that must not compile. */
export async function wrong(): Promise<void> {
  const baseUrl = 'https://waybill.example.com'
  // @ts-expect-error: no credentials
  createWaybill({ baseUrl })
  // @ts-expect-error: nothing stores the new refresh tokens
  createWaybill({ baseUrl, clientId: 'id', clientSecret: 'secret', refreshToken: 'token' })
  // @ts-expect-error: two kinds of credentials
  createWaybill({ baseUrl, clientId: 'id', clientSecret: 'secret', token: () => 'token' })
  // @ts-expect-error: no such path
  await waybill.GET('/v1/consignment')
  // @ts-expect-error: the path has no such method
  await waybill.DELETE('/v1/consignments/{consignmentId}', { params })
  // @ts-expect-error: the id of the path is missing
  await waybill.GET('/v1/consignments/{consignmentId}', { params: {} })
  // @ts-expect-error: a value that the enumeration does not have
  await waybill.GET('/v1/partners', { params: { query: { Relationship: 3 } } })
  // @ts-expect-error: no such filter
  await waybill.GET('/v1/partners', { params: { query: { relation: 1 } } })
  // @ts-expect-error: a required field is missing
  await waybill.POST('/v1/consignment-imports', { body: { consignmentType: 2, products: [] } })
  await waybill.POST('/v1/consignment-imports', {
    // @ts-expect-error: no such field
    body: { consignmentType: 2, clientCode: 'KAURI', products: [], referenceNo: 'SHOP-1' },
  })
  const consignment = orThrow(await waybill.GET('/v1/consignments/{consignmentId}', { params }))
  // @ts-expect-error: no such field in the response
  consignment.number
  // @ts-expect-error: a type that the feed does not have
  waybill.follow({ types: [1] })
  // @ts-expect-error: not a list
  waybill.pages('/v1/identity')
  // @ts-expect-error: the id of the path is missing
  waybill.pages('/v1/partners/{partnerId}/products')
  // @ts-expect-error: pages are always read from the first one
  waybill.pages('/v1/partners', { query: { PageIndex: 2 } })
}
