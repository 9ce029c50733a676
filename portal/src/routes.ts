// The contents page of the portal: which file shows which address. Nothing here is loaded before it is
// needed, and the build reads this list to tell the service which addresses exist.
//
// To add a screen:
//  1. Write `screens/<area>/<name>.tsx`, named after the address. It exports `Screen`, which renders one
//     `Page` (frame/Page.tsx) with the heading of the design. A list is like
//     `screens/consignments/consignments.tsx`, with its columns, filters and views as data in
//     `lists/consignments.tsx`; a record is like `screens/consignments/consignment.tsx`, with one file a
//     region beside it.
//  2. Write its texts in `words.ts`, or in `words/<area>.ts` if there are many. No other file has texts.
//  3. Add its line below, with the scope that its data needs and who may open it. Ids in an address are
//     `$id`; `useIds()` reads them. Filters, sort, view and tab stand in the query, as `useSearch()` reads
//     them.
//  4. If it belongs in the menu, `frame/menu.ts` has its place.
//  5. Data comes from `useQuery(read('/v1/…', params))`, and acts go through `send` (both in api.ts). An act
//     that changes status, stock or money opens `ThisWill` with `rehearse` (screens/consignments/acts.tsx).
//     Others are done at once and tell it by `notify`. After an act, `readAgain` names the paths that
//     changed.

import type { PersonKind } from './me.ts'

/** A screen of the portal. */
export interface PortalPage {
  /** the address; `$id` stands for an id */
  readonly path: string
  /** loads the file with the screen */
  readonly screen: () => Promise<{ Screen: () => React.ReactNode }>
  /** the scopes of which the token needs one; absent: anybody may open it */
  readonly scope?: readonly string[]
  /** the kinds of person that have this screen; absent: all */
  readonly for?: readonly PersonKind[]
}

/** Prices and their tests are for the organisation's own people. */
const moneyPeople = { scope: ['financial.read'], for: ['staff'] } as const

/** Carriers have no imports. */
const importPeople = { scope: ['consignment.read'], for: ['staff', 'client'] } as const
/** Carriers' people work from the phone, and have what they carry. */
const reportPeople = { scope: ['report'], for: ['staff', 'client'] } as const
const partnerPeople = { scope: ['partner.read'], for: ['staff'] } as const
const productPeople = { scope: ['partner.read'], for: ['staff', 'client'] } as const

export const pages: readonly PortalPage[] = [
  { path: '/', screen: () => import('./screens/home/home.tsx') },
  {
    path: '/consignments',
    screen: () => import('./screens/consignments/consignments.tsx'),
    scope: ['consignment.read'],
  },
  {
    path: '/consignments/new',
    screen: () => import('./screens/consignments/new.tsx'),
    scope: ['consignment'],
    for: ['staff', 'client'],
  },
  {
    path: '/consignments/upload',
    screen: () => import('./screens/consignments/upload.tsx'),
    scope: ['consignment'],
    for: ['staff', 'client'],
  },
  {
    path: '/consignments/$id',
    screen: () => import('./screens/consignments/consignment.tsx'),
    scope: ['consignment.read'],
  },
  {
    path: '/consignments/$id/receive',
    screen: () => import('./screens/consignments/receive.tsx'),
    scope: ['consignment', 'inventory'],
    for: ['staff'],
  },
  {
    path: '/consignments/$id/pick',
    screen: () => import('./screens/consignments/pick.tsx'),
    scope: ['consignment', 'inventory'],
    for: ['staff'],
  },
  {
    path: '/inventory',
    screen: () => import('./screens/inventory/inventory.tsx'),
    scope: ['inventory.read'],
    for: ['staff', 'client'],
  },
  {
    path: '/inventory/opening',
    screen: () => import('./screens/inventory/opening.tsx'),
    scope: ['inventory'],
    for: ['staff'],
  },
  {
    path: '/inventory/$id',
    screen: () => import('./screens/inventory/stock.tsx'),
    scope: ['inventory.read'],
    for: ['staff', 'client'],
  },
  {
    path: '/units',
    screen: () => import('./screens/units/units.tsx'),
    scope: ['inventory.read'],
    for: ['staff', 'client'],
  },
  {
    path: '/units/$id',
    screen: () => import('./screens/units/unit.tsx'),
    scope: ['inventory.read'],
    for: ['staff', 'client'],
  },
  {
    path: '/serials',
    screen: () => import('./screens/serials/serials.tsx'),
    scope: ['inventory.read'],
    for: ['staff', 'client'],
  },
  {
    path: '/serials/$id',
    screen: () => import('./screens/serials/serial.tsx'),
    scope: ['inventory.read'],
    for: ['staff', 'client'],
  },
  {
    path: '/shortages',
    screen: () => import('./screens/shortages/shortages.tsx'),
    scope: ['inventory.read'],
    for: ['staff', 'client'],
  },
  {
    path: '/holds',
    screen: () => import('./screens/holds/holds.tsx'),
    scope: ['inventory.read'],
    for: ['staff', 'client'],
  },
  {
    path: '/holds/$id',
    screen: () => import('./screens/holds/hold.tsx'),
    scope: ['inventory.read'],
    for: ['staff', 'client'],
  },
  {
    path: '/counts',
    screen: () => import('./screens/counts/counts.tsx'),
    scope: ['inventory.read'],
    for: ['staff'],
  },
  {
    path: '/counts/new',
    screen: () => import('./screens/counts/new.tsx'),
    scope: ['inventory'],
    for: ['staff'],
  },
  {
    path: '/counts/$id',
    screen: () => import('./screens/counts/count.tsx'),
    scope: ['inventory.read'],
    for: ['staff'],
  },
  {
    path: '/replenishment',
    screen: () => import('./screens/replenishment/replenishment.tsx'),
    scope: ['report'],
    for: ['staff'],
  },
  {
    path: '/jobs',
    screen: () => import('./screens/jobs/jobs.tsx'),
    scope: ['job.read'],
    for: ['staff'],
  },
  {
    path: '/jobs/new',
    screen: () => import('./screens/jobs/new-wave.tsx'),
    scope: ['job'],
    for: ['staff'],
  },
  {
    path: '/jobs/$id',
    screen: () => import('./screens/jobs/job.tsx'),
    scope: ['job.read'],
    for: ['staff'],
  },
  {
    path: '/billing',
    screen: () => import('./screens/billing/billing.tsx'),
    scope: ['financial.read'],
    for: ['staff'],
  },
  {
    path: '/billing/set-up',
    screen: () => import('./screens/billing/set-up.tsx'),
    scope: ['financial.read'],
    for: ['staff'],
  },
  {
    path: '/charges',
    screen: () => import('./screens/charges/charges.tsx'),
    scope: ['financial.read'],
    for: ['staff'],
  },
  {
    path: '/charges/$id',
    screen: () => import('./screens/charges/charge.tsx'),
    scope: ['financial.read'],
    for: ['staff'],
  },
  {
    path: '/schedules',
    screen: () => import('./screens/schedules/schedules.tsx'),
    scope: ['financial.read'],
  },
  {
    path: '/schedules/$id',
    screen: () => import('./screens/schedules/schedule.tsx'),
    scope: ['financial.read'],
  },
  { path: '/rate-cards', screen: () => import('./screens/rate-cards/rate-cards.tsx'), ...moneyPeople },
  { path: '/rate-cards/$id', screen: () => import('./screens/rate-cards/card.tsx'), ...moneyPeople },
  {
    path: '/rate-cards/$id/versions/$versionId',
    screen: () => import('./screens/rate-cards/version.tsx'),
    ...moneyPeople,
  },
  { path: '/back-tests', screen: () => import('./screens/back-tests/back-tests.tsx'), ...moneyPeople },
  { path: '/back-tests/$id', screen: () => import('./screens/back-tests/back-test.tsx'), ...moneyPeople },
  { path: '/imports', screen: () => import('./screens/imports/imports.tsx'), ...importPeople },
  { path: '/imports/$id', screen: () => import('./screens/imports/import.tsx'), ...importPeople },
  { path: '/reports', screen: () => import('./screens/reports/reports.tsx'), ...reportPeople },
  { path: '/reports/$name', screen: () => import('./screens/reports/report.tsx'), ...reportPeople },
  {
    path: '/printing',
    screen: () => import('./screens/printing/printing.tsx'),
    scope: ['print', 'warehouse.read'],
    for: ['staff'],
  },
  { path: '/partners', screen: () => import('./screens/partners/partners.tsx'), ...partnerPeople },
  { path: '/partners/$id', screen: () => import('./screens/partners/partner.tsx'), ...partnerPeople },
  { path: '/products', screen: () => import('./screens/products/products.tsx'), ...productPeople },
  {
    path: '/products/$partnerId/$id',
    screen: () => import('./screens/products/product.tsx'),
    ...productPeople,
  },
  { path: '/me', screen: () => import('./screens/me.tsx') },
  { path: '/search', screen: () => import('./screens/search.tsx') },
  {
    path: '/developers',
    screen: () => import('./screens/developers/developers.tsx'),
    for: ['staff', 'client'],
  },
  {
    path: '/developers/webhooks/$id',
    screen: () => import('./screens/developers/webhook.tsx'),
    for: ['staff', 'client'],
  },
  {
    path: '/warehouses',
    screen: () => import('./screens/warehouses/warehouses.tsx'),
    scope: ['warehouse.read'],
    for: ['staff'],
  },
  {
    path: '/warehouses/$id',
    screen: () => import('./screens/warehouses/warehouse.tsx'),
    scope: ['warehouse.read'],
    for: ['staff'],
  },
  {
    path: '/reference/$collection',
    screen: () => import('./screens/reference/reference.tsx'),
    for: ['staff'],
  },
  {
    path: '/settings',
    screen: () => import('./screens/settings/settings.tsx'),
    scope: ['organisation.read'],
    for: ['staff'],
  },
  {
    path: '/settings/history',
    screen: () => import('./screens/settings/history.tsx'),
    scope: ['organisation.read'],
    for: ['staff'],
  },
  {
    path: '/settings/people',
    screen: () => import('./screens/settings/people.tsx'),
    scope: ['organisation.read'],
    for: ['staff'],
  },
  {
    path: '/settings/people/$id',
    screen: () => import('./screens/settings/person.tsx'),
    scope: ['organisation.read'],
    for: ['staff'],
  },
  { path: '/signed-in', screen: () => import('./screens/signed-in.tsx') },
]
