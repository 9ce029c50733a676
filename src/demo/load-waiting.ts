// Loads imports that wait until somebody corrects a code: two with a letter O for a zero in a product code,
// and one with a carrier that the organisation does not have.

import type { Call } from './load-history.ts'

/** Of the second order; so the portal tells what is short before the order is moved. */
const moreThanThereIs = 1_500

/** Imports orders that cannot become consignments yet. */
export async function loadWaitingImports(call: Call): Promise<void> {
  const order = {
    consignmentType: 2,
    clientCode: 'KAURI',
    warehouseCode: 'AKL',
    carrierCode: 'SWF',
    destinationAddress: { name: 'Harbour Deli', city: 'Auckland', country: 'NZ' },
  }
  const productOf = (productCode: string, quantity: number) => [{ productCode, items: [{ quantity }] }]
  const waiting = [
    { ...order, referenceNumber: 'SHOP-0994', products: productOf('KAU-0O3', 12) },
    { ...order, referenceNumber: 'SHOP-0997', products: productOf('KAU-0O3', moreThanThereIs) },
    { ...order, referenceNumber: 'SHOP-0998', carrierCode: 'SWIFT', products: productOf('KAU-001', 24) },
  ]
  for (const body of waiting) await call('POST', '/v1/consignment-imports', body)
}
