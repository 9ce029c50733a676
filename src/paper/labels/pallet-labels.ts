// The endpoints that return and print the labels of all pallets of a consignment. Spec 2.3, 4.15; decision
// 4.

import { verificationFailed } from '../../platform/http/refusal.ts'
import { mapInSlices } from '../../platform/work/slices.ts'
import { PrintJobKind } from '../../vocabulary/paper.ts'
import { labelEndpoints, refuseTooManyLabels } from './label-endpoints.ts'
import { palletDescription, palletSizeNames, requirePalletLabel } from './logistic-unit-label.ts'
import { readPallets } from './read-pallets.ts'

export const palletLabels = labelEndpoints({
  path: '/v1/consignments/:consignmentId/pallet-labels',
  name: 'PalletLabels',
  partners: 'clients',
  printPartners: 'clients',
  scope: 'consignment.read',
  subject: 'the pallet labels of a consignment',
  description:
    'Has a label for each logistic unit that is wholly the consignment’s: all that is on it was received ' +
    'with it, is allocated to it or left with it. Until then a unit has no label here. Pallets announced ' +
    `in lines have theirs until goods are received onto them. ${palletDescription}`,
  kind: PrintJobKind.PalletLabel,
  sizes: palletSizeNames,
  options: {},
  async read({ db, actor, params, size, dotsPerMM }) {
    const consignmentId = params.consignmentId as string
    const { clientId, consignmentNumber, pallets, shared } = await readPallets(db, actor, consignmentId)
    if (pallets.length === 0 && shared.length > 0)
      throw verificationFailed(
        `Not everything on ${shared.slice(0, 3).join(', ')} is the consignment’s: it has no pallet labels.`,
      )
    if (pallets.length === 0) throw verificationFailed('The consignment has no goods on logistic units.')
    refuseTooManyLabels(pallets.length)
    return {
      labels: await mapInSlices(pallets, data => requirePalletLabel(data, size, dotsPerMM)),
      name: `Pallet labels ${consignmentNumber}`,
      partnerId: clientId,
      consignmentId,
    }
  },
})
