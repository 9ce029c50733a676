// The texts of whether all is well, and of the apps that belong to Waybill.

import { quantity } from '../../../ui/numbers.ts'
import { plural } from '../../../ui/plural.ts'

export const healthWords = {
  allWell: 'Is all well',
  part: 'Part',
  state: 'State',
  detail: 'What is so',
  well: 'Well',
  needsYou: 'Needs you',
  notUsed: 'Not used',
  notRead: 'Not known',
  allIsWell: 'all is well',
  someNeedYou: (n: number) => `${plural(n, 'part needs', 'parts need')} you`,

  imports: 'Imports',
  importsAre: (handled: number, waiting: number) =>
    `${quantity(handled)} being handled, ${quantity(waiting)} waiting for a person`,
  webhooks: 'Webhooks',
  webhooksAre: (all: number, failed: number) =>
    failed === 0
      ? plural(all, 'subscription')
      : `${quantity(failed)} of ${plural(all, 'subscription')} failed`,
  bridges: 'Bridges',
  bridgesAre: (all: number, online: number) => `${quantity(online)} of ${plural(all, 'bridge')} online`,
  offline: (names: readonly string[]) => `not heard of: ${names.join(', ')}`,
  printQueue: 'Print queue',
  printsAre: (waiting: number, doubtful: number) =>
    `${plural(waiting, 'job')} waiting, ${quantity(doubtful)} in doubt`,
  printers: 'Printers',
  printersAre: (offline: number) =>
    offline === 0 ? 'All can print' : `${plural(offline, 'printer')} cannot print`,
  billing: 'Billing',
  billingIs: (failed: number, differing: number) =>
    `${plural(failed, 'run')} failed, ${plural(differing, 'schedule differs', 'schedules differ')}`,

  apps: 'Portal and floor',
  appOf: { portal: 'Portal', floor: 'Floor' } as Readonly<Record<string, string>>,
  on: 'On',
  off: 'Off',
  switchOff: 'Switch off',
  switchOffOf: (app: string) => `Switch off: ${app}`,
  switchOffWhy:
    'Everybody is signed out of the portal within ten seconds, you too, and nobody can sign in to it. It can ' +
    'be switched on again only over the API, by an app that may manage the organisation.',
  switchOffFloor: 'Everybody is signed out of it within ten seconds. It can be switched on again here.',
  sure: 'I can switch it on again over the API',
  switchOn: 'Switch on',
  switchOnOf: (app: string) => `Switch on: ${app}`,
  switchedOn: (app: string) => `${app} is on`,
  switchedOff: (app: string) => `${app} is off`,
} as const
