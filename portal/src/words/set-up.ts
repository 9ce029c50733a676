// The texts of billing set-up: activities, localities and FAF profiles.

import { SetUpStatus } from '../../../client/src/waybill.ts'
import { quantity } from '../../../ui/numbers.ts'
import { plural } from '../../../ui/plural.ts'
import { inWords, nameIn } from './consignments.ts'

export const setUpWords = {
  nothing: '–',
  none: 'None',
  acts: 'Change',
  editOf: (name: string) => `Edit ${name}`,
  saved: 'It is saved',
  showInactive: 'Show those that are inactive',
  status: 'Status',
  statusOf: (status: number) => inWords(nameIn(SetUpStatus, status)),
  statusHelp: 'What is inactive stays where it is used, and is no longer offered.',
  name: 'Name',
  code: 'Code',

  activities: 'Activities',
  newActivity: 'New activity',
  saveActivity: 'Save activity',
  noActivities: 'No activities yet. Rates of a card name the activity that they are billed as.',
  revenueAccount: 'Revenue account',
  taxRate: 'Tax rate',

  localities: 'Localities',
  newLocality: 'New locality',
  saveLocality: 'Save locality',
  noLocalities: 'No localities yet. Freight is priced by the localities that it goes from and to.',
  areas: 'Areas',
  areaOf: (n: number) => `Area ${n}`,
  addArea: 'Add area',
  removeArea: (n: number) => `Remove area ${n}`,
  areaKind: 'Given by',
  areaKindOf: {
    postcodes: 'Postcodes',
    states: 'States',
    suburbs: 'Suburbs',
    circle: 'A circle',
    polygon: 'A polygon',
  },
  areaLabels: {
    postcodes: ['From postcode', 'To postcode'],
    states: ['States, with commas between them'],
    suburbs: ['Suburbs, with commas between them'],
    circle: ['Latitude', 'Longitude', 'Radius in km'],
    polygon: ['Latitude and longitude of each corner, a line each'],
  },
  country: 'Country code',
  circleOf: (latitude: string, longitude: string, radius: string) =>
    `${radius} km around ${latitude}, ${longitude}`,
  polygonOf: (corners: number) => `a polygon with ${plural(corners, 'corner')}`,
  find: 'Find by address',
  addressPart: {
    streetAddress: 'Street',
    suburb: 'Suburb',
    city: 'City',
    state: 'State',
    postCode: 'Postcode',
    country: 'Country',
  },
  inNone: 'The address is in no locality.',
  isIn: (names: readonly string[]) => `The address is in ${names.join(', ')}.`,

  fafProfiles: 'FAF profiles',
  newProfile: 'New profile',
  saveProfile: 'Save profile',
  noProfiles: 'No FAF profiles yet. A rate card names the profile by which its freight is raised.',
  ratesOf: (name: string) => `Rates of ${name}`,
  newRate: 'New rate',
  saveRate: 'Save rate',
  rateOf: (carrier: string, percent: string) => `${percent} of ${carrier}`,
  noRates: 'No rates yet. Without one, freight is not raised.',
  carrier: 'Carrier',
  allCarriers: 'All others',
  percent: 'Percent',
  percentOf: (fraction: number) => `${quantity(fraction * 100)} %`,
  percentHelp: '12.5 raises freight by an eighth.',
  effectiveFrom: 'From',
  expired: 'Replaced by a later one',
  inEffect: 'In effect or to come',
} as const
