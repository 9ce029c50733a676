// The main menu in its order. An entry is shown if its screen exists and the person may open it.

import { type Me, mayOpen } from '../me.ts'
import { pages } from '../routes.ts'
import { words } from '../words.ts'

export interface MenuEntry {
  readonly path: string
  readonly text: string
}

const groups: readonly { heading: string; entries: readonly MenuEntry[] }[] = [
  {
    heading: words.groupOperate,
    entries: [
      { path: '/', text: words.home },
      { path: '/consignments', text: words.consignments },
      { path: '/imports', text: words.imports },
      { path: '/jobs', text: words.jobs },
    ],
  },
  {
    heading: words.groupStock,
    entries: [
      { path: '/inventory', text: words.inventory },
      { path: '/units', text: words.units },
      { path: '/shortages', text: words.shortages },
      { path: '/holds', text: words.holds },
      { path: '/counts', text: words.counts },
      { path: '/replenishment', text: words.replenishment },
    ],
  },
  {
    heading: words.groupMoney,
    entries: [
      { path: '/billing', text: words.billing },
      { path: '/charges', text: words.charges },
      { path: '/schedules', text: words.schedules },
      { path: '/rate-cards', text: words.rateCards },
      { path: '/back-tests', text: words.backTests },
    ],
  },
  {
    heading: words.groupInsight,
    entries: [
      { path: '/reports', text: words.reports },
      { path: '/printing', text: words.printing },
    ],
  },
  {
    heading: words.groupSetUp,
    entries: [
      { path: '/partners', text: words.partners },
      { path: '/products', text: words.products },
      { path: '/warehouses', text: words.warehouses },
      { path: '/reference/unit-types', text: words.referenceData },
      { path: '/developers', text: words.developers },
      { path: '/settings', text: words.settings },
    ],
  },
]

/** The page at an address; of `/reference/unit-types` the page `/reference/$collection`. */
export const pageAt = (path: string) =>
  pages.find(page => new RegExp(`^${page.path.replace(/\$\w+/g, '[^/]+')}$`).test(path))

/** Whether an address has a screen that the person may open. */
export function canOpen(me: Me, address: string): boolean {
  const page = pageAt(address)
  return page !== undefined && mayOpen(me, page)
}

/** The groups of the menu for this person. Groups without entries are left out. */
export const menuOf = (me: Me) =>
  groups
    .map(({ heading, entries }) => ({
      heading,
      entries: entries.filter(({ path }) => canOpen(me, path)),
    }))
    .filter(({ entries }) => entries.length > 0)
