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
  needsYou: 'Needs you',
  nothingNeedsYou: 'Nothing needs you',
  waves: 'Waves',
  noWaves: 'No wave is being picked.',
  linesPicked: (picked: number, lines: number) => `${quantity(picked)} of ${plural(lines, 'line')}`,
  space: 'Space',
  noZones: 'No zone yet.',
  placesUsed: (used: number, places: number) => `${quantity(used)} of ${plural(places, 'place')} in use`,
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
