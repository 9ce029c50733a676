// The texts of the start screen.

import { quantity } from '../../../ui/numbers.ts'
import { plural } from '../../../ui/plural.ts'

export const homeWords = {
  home: 'Home',
  today: 'Today',
  figures: {
    toReceive: 'To receive',
    toPick: 'To pick',
    toDispatch: 'To dispatch',
    late: 'Late',
    linesShort: 'Lines short',
    notBilled: 'Not billed',
  } as Readonly<Record<string, string>>,
  allWarehouses: 'All warehouses',
  warehouse: 'Warehouse',
  inAndOut: 'In and out',
  enteredADay: (days: number) => (days === 0 ? '' : `entered a day, last ${quantity(days)} days`),
  day: 'Day',
  series: { outwards: 'Outwards', inwards: 'Inwards', pointToPoint: 'Point to point' },
  retry: 'Retry',
  retryWhy: (name: string, printer: string) =>
    `${name} may be on paper, in part or whole. Look at ${printer} first: this prints it once more.`,
  printedAgain: (name: string) => `${name} waits for its printer again`,
  needsYou: 'Needs you',
  nothingNeedsYou: 'Nothing needs you',
  waves: 'Waves',
  noWaves: 'No wave is being picked.',
  picked: 'picked of lines',
  linesPicked: (picked: number, lines: number) => `${quantity(picked)} of ${plural(lines, 'line')}`,
  due: 'due',
  space: 'Space',
  noZones: 'No zone yet.',
  placesInUse: 'places in use',
  of: (used: number, places: number) => `${quantity(used)} of ${quantity(places)}`,
  firstSteps: 'First steps',
  firstStepsWhy: 'There is no warehouse yet. These make the first order possible:',
  steps: [
    'A warehouse with its zones and places',
    'A client and its products',
    'A carrier',
    'Opening balances, or goods that are received',
  ],
  apiReference: 'API reference',
} as const
