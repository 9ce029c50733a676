// The endpoints that return and print the label of a logistic unit. Spec 2.14, 4.15; decision 4.

import { PrintJobKind } from '../../vocabulary/paper.ts'
import type { Label } from './label.ts'
import { labelEndpoints } from './label-endpoints.ts'
import { requireLabel } from './overflow.ts'
import { displayNameOf, type PalletData } from './pallet-data.ts'
import { type PalletSize, palletLabel } from './pallet-layout.ts'
import { readPallet } from './read-pallets.ts'
import { palletSizes } from './sizes.ts'

/** The size names of pallet labels, the default first. */
export const palletSizeNames = Object.keys(palletSizes) as PalletSize[]

/** Describes pallet labels in the API document. */
export const palletDescription =
  'A label has the SSCC as GS1-128, and the contents too if they are one product of one batch with a GTIN. ' +
  'A unit without an SSCC has its number as Code 128.'

/** Lays out the label of a pallet. Refuses (400) what does not fit. */
export const requirePalletLabel = (data: PalletData, size: PalletSize, dotsPerMM: number): Label =>
  requireLabel(palletLabel(data, size, dotsPerMM), displayNameOf(data), size)

export const logisticUnitLabels = labelEndpoints({
  path: '/v1/logistic-units/:logisticUnitId/label',
  name: 'LogisticUnitLabel',
  partners: 'clients',
  printPartners: 'clients',
  scope: 'inventory.read',
  subject: 'the label of a logistic unit',
  description:
    `${palletDescription} A unit that is wholly allocated to one consignment, or left with one, has its ` +
    'addresses. An empty unit has the goods that left on it last.',
  kind: PrintJobKind.PalletLabel,
  sizes: palletSizeNames,
  options: {},
  async read({ db, actor, params, size, dotsPerMM }) {
    const data = await readPallet(db, actor, params.logisticUnitId as string)
    return {
      labels: [requirePalletLabel(data, size, dotsPerMM)],
      name: `Pallet label ${displayNameOf(data)}`,
      partnerId: data.partnerId,
    }
  },
})
