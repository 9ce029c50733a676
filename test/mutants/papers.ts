// Mutants of what papers and labels say: goods that were sent, not those that were ordered, and nothing cut.

import type { Mutant } from './mutant.ts'

const labels = 'src/paper/labels'
const labelTests = ['test/paper/labels/label-endpoints.test.ts']
const wholeLabels = ['test/paper/labels/whole-labels.test.ts']

export const papers: Mutant[] = [
  {
    about: 'a line that nothing is left for at the dock is declared as ordered',
    file: 'src/paper/documents/consignments/dangerous-goods.ts',
    from: ' and not (${isOutwards} and ${isReady})',
    to: '',
    tests: ['test/paper/documents/consignments/dg-declaration-pdf.test.ts'],
  },
  {
    about: 'a pallet of which a part is allocated has a label of the consignment',
    file: `${labels}/read-pallets.ts`,
    from: 'having count(distinct a.consignment_id) = 1 and sum(a.quantity) = (',
    to: 'having count(distinct a.consignment_id) = 1 and sum(a.quantity) <= (',
    tests: labelTests,
  },
  {
    about: 'a pallet that is received in part has a second label for what is still announced',
    file: `${labels}/read-pallets.ts`,
    from: '(u.sscc_number = l.sscc or lower(u.reference_number) = l.reference)',
    to: 'false',
    tests: labelTests,
  },
  {
    about: 'a column on a label may be higher than its place',
    file: `${labels}/column.ts`,
    from: 'layout.height <= height',
    to: 'true',
    tests: wholeLabels,
  },
]
