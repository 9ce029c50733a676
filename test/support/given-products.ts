// A client with products, and the records that they refer to.

import { hazardClassId } from '../../src/reference-data/load-reference-data.ts'
import { openWorld } from './harness.ts'

/** Hazard classes of two standards; only the first has categories. */
export const [flammable, acute] = [hazardClassId(1, '2.6'), hazardClassId(4, '6.1')]

/**
 * Opens a world with a client whose products require a batch and have no expiry date, three unit types and a
 * product group.
 */
export async function openProducts() {
  const world = await openWorld()
  const { admin } = world
  const named = async (path: string, name: string) =>
    Object.values((await admin.post(`/v1/${path}`, { name })).body)[0] as string

  let clients = 0
  const newClient = async (settings = {}) => {
    const body = { name: `Client ${clients}`, code: `CLIENT${clients++}`, relationship: 1, ...settings }
    return (await admin.post('/v1/partners', body)).body.partnerId as string
  }
  const partnerId = await newClient({ productBatchUsage: 3, productExpiryUsage: 1 })
  const products = `/v1/partners/${partnerId}/products`
  return {
    world,
    /** Adds a client and returns its id. */
    newClient,
    partnerId,
    /** the path of the client's products */
    products,
    /** Adds a product and returns its id. */
    create: async (body: object) => (await admin.post(products, body)).body.partnerProductId as string,
    carton: await named('unit-types', 'Carton'),
    inner: await named('unit-types', 'Inner'),
    each: await named('unit-types', 'Each'),
    group: await named('product-groups', 'Beverages'),
  }
}
