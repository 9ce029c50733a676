// The texts of picking: at the desk, on a consignment's lines, and of a wave.

import { RotationMethod, StockDepletionMethod } from '../../../client/src/waybill.ts'
import { quantity } from '../../../ui/numbers.ts'
import { plural } from '../../../ui/plural.ts'
import { nameIn } from './consignments.ts'

export const pickWords = {
  nothing: '–',
  pick: 'Pick',
  pickOf: (number: string) => `Pick ${number}`,
  consignment: 'Consignment',
  picks: 'Picks',
  onlyOutwards: 'Only goods of an Outwards consignment are picked.',
  onlyWhenReady: (status: string) => `It is ${status}: goods are picked while it is Ready to pick.`,
  nothingAllocated: 'No stock is allocated. Allocate some on the consignment.',
  inWave: (number: string) => `In wave ${number}`,
  toDo: (open: number, picked: number) =>
    `${plural(open, 'pick')} to go${picked === 0 ? '' : `, ${quantity(picked)} done`}`,
  linesShort: (n: number) => `${plural(n, 'line')} short`,
  rowName: (product: string, place: string, unit: string | null) =>
    `${product} in ${place}${unit === null ? '' : `, ${unit}`}`,
  pickName: (row: string, consignment: string | null) =>
    consignment === null ? row : `${row} for ${consignment}`,

  place: 'Place',
  product: 'Product',
  unit: 'Unit',
  batch: 'Batch',
  expiry: 'Expiry',
  serials: 'Serials',
  line: 'Line',
  quantity: 'Quantity',
  state: 'State',
  toPick: 'To pick',
  picked: 'Picked',
  byHand: 'By hand',

  confirm: 'Confirm',
  shortPick: 'Short',
  anotherPlace: 'Another place',
  unpick: 'Unpick',
  stage: 'Stage',
  selectOpen: 'Select what is to be picked.',
  selectOne: 'Select one pick.',
  selectPicked: 'Select what is picked.',

  asItStands: (n: number) =>
    `Everything was picked as it stands in the list: ${plural(n, 'pick')}. To pick less, select the pick.`,
  pickedOf: (name: string) => `Picked of ${name}`,
  foundOf: (name: string) => `Found of ${name}`,
  quantityOf: (name: string) => `Quantity of ${name}`,
  serialsOf: (name: string) => `Serials of ${name}`,
  serialsHelp: (n: number) =>
    `${quantity(n)} of them, scanned or pasted. Those that are not named stay as they are.`,
  ofQuantity: (n: number) => `of ${quantity(n)}`,
  toPlace: 'To place',
  dockHelp: (name: string | null) =>
    name === null ? 'Left empty, they go to the dispatch location.' : `Left empty, they go to ${name}.`,
  originHelp: 'Left empty, they go back to where they were picked.',
  reason: 'Reason',
  reallocate: 'Allocate other stock for what is missing',
  reallocateHelp: 'What is missing goes on hold, so that nobody is sent there again.',
  stock: 'Stock',
  insteadOf: (name: string) => `Instead of ${name}.`,
  noOtherStock: 'No other stock of the product is free in the warehouse.',
  freeIn: (place: string, facts: readonly string[], free: number) =>
    `${[place, ...facts].join(', ')}: ${quantity(free)} free`,
  batchOf: (batch: string) => `batch ${batch}`,
  expires: (day: string) => `expires ${day}`,
  release: 'Release them: other orders may have them',
  onto: 'On',
  asTheyAre: 'As they are',
  loose: 'Loose, on no unit',
  newUnit: 'A new unit',
  knownUnit: 'A unit that is there',
  sscc: 'SSCC',
  ssccOptional: 'Left empty, the unit has none.',

  confirmed: (n: number) => `${plural(n, 'pick is', 'picks are')} confirmed`,
  shortDone: 'What is missing is on hold',
  elsewhereDone: 'It was picked from another place',
  unpicked: 'The goods are put back',
  staged: (place: string) => `The goods are in ${place}`,

  allocations: 'Allocations',
  openLine: (product: string, line: number) => `${product}, stock of line ${line}`,
  allocationsOf: (product: string) => `Allocations of ${product}`,
  whyThisStock: 'Why this stock',
  noAllocations: 'Nothing is allocated or picked.',
  allocateByHand: 'Allocate by hand',
  releaseAct: 'Release',
  releaseOf: (name: string) => `Release ${name}`,
  allocated: 'Allocated',
  allocatedByHand: (n: number) => `${quantity(n)} allocated by hand`,
  released: 'The stock is released',
  serialsChosen: (n: number) => (n === 0 ? 'Serials: any of them' : `Serials: ${quantity(n)} chosen`),
  override: 'Against the rules',
  overrideHelp: 'Takes stock that the line would not get: another batch or date, or more than it lacks.',
  shortOf: (n: number) => `${quantity(n)} short.`,
  replaces: 'The line lacks nothing: as much of what it has is released.',
  nothingToExplain: 'There is nothing to explain: all of it is picked.',
  noStockAtAll: 'The warehouse has no stock of the product.',
  considered: 'Stock in the order in which it is taken',
  has: 'Has',
  free: 'Free',
  because: 'Because',
  served: (rule: string) => `Stock is taken ${rule}.`,
  rotation: (line: {
    rotationMethod: number
    rotationMethodSecondary: number
    stockDepletionMethod: number
  }) =>
    [
      ...new Set([
        ...[line.rotationMethod, line.rotationMethodSecondary].flatMap(
          method => rotations[nameIn(RotationMethod, method)] ?? [],
        ),
        line.stockDepletionMethod === StockDepletionMethod.LIFO ? 'last in first' : 'longest in store first',
      ]),
    ].join(', then '),
  ruleOf: (rule: string) => rules[rule] ?? rule,
  notTaken: (reason: string) => `Kept out: it ${reason}`,
  chosenByHand: 'Chosen by hand, or before others came',
  takenNow: 'It would be taken now',
  notNeeded: 'Not needed: others come before it',
  lastOfAll: 'The last that there is',
} as const

const rotations: Readonly<Record<string, string>> = {
  Batch: 'by batch',
  ExpiryAscending: 'earliest expiry first',
  ExpiryDescending: 'latest expiry first',
  ProductionDateAscending: 'earliest production first',
  ProductionDateDescending: 'latest production first',
  BestBeforeDateAscending: 'earliest best-before date first',
  BestBeforeDateDescending: 'latest best-before date first',
  SellByDateAscending: 'earliest sell-by date first',
  SellByDateDescending: 'latest sell-by date first',
  PackagingDateAscending: 'earliest packaging first',
  PackagingDateDescending: 'latest packaging first',
  ReceivedDateAscending: 'longest in store first',
  ReceivedDateDescending: 'last received first',
}

const rules: Readonly<Record<string, string>> = {
  Preference: 'It is what the line asks for',
  Rotation: 'Rotation puts it before the next',
  WholeUnit: 'It is a whole unit that fits',
  Location: 'Its place is picked before others',
  Quantity: 'Less is left of it than of the next',
  WalkingOrder: 'It is nearer on the walk',
  Id: 'It has been there longer',
}
