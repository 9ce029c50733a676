// The texts of the start screen.

import { plural } from '../../../ui/plural.ts'

export const homeWords = {
  nothing: '–',
  home: 'Home',
  today: 'Today',
  toReceive: 'To receive',
  toPick: 'To pick',
  toDispatch: 'To dispatch',
  inTransit: 'In transit',
  linesShort: 'Lines short',
  needsYou: 'Needs you',
  nothingNeedsYou: 'Nothing needs you',
  importsWait: (n: number) => plural(n, 'import waits', 'imports wait'),
  countsWait: (n: number) => plural(n, 'count to approve', 'counts to approve'),
  waves: 'Waves',
  noWaves: 'No wave is being picked.',
  orders: (n: number) => plural(n, 'order'),
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
