// Reports of what is owed: every transaction, the schedules with their tax, and what freight brings.

import { type Charged, type Consignment, Status } from '../notebook/orders.ts'
import type { World } from '../world.ts'
import { wordsOfTransaction } from './books.ts'
import { billOf, chargedNow, marginOf } from './charges.ts'
import type { Row } from './read-stock.ts'
import { carrierName, clientName, run, sameRows, warehouseName } from './rows.ts'

const amountOf = (cents: number) => cents / 100

export async function moneyReports(world: World): Promise<void> {
  await owed(world)
  await schedules(world)
  await freight(world)
  await costs(world)
}

const asBooked = ({ particulars, chargeRateExclTax, ...row }: Row): Row => ({
  ...row,
  what: wordsOfTransaction({ particulars, chargeRateExclTax }),
})

const keys = ['consignmentNumber', 'what', 'transactionDate', 'scheduleStatus']
const prices = [
  ...['activityName', 'activityCode', 'chargeApplication', 'transactionType'],
  ...['baseChargeExclTax', 'minChargeExclTax', 'maxChargeExclTax'],
]

async function owed(world: World): Promise<void> {
  const { bookings } = world.notebook.books
  const clientBookings = bookings.filter(({ partner, isVoid }) => partner === 'client' && !isVoid)
  const known = clientBookings.map(
    ({ consignment, what, count, cents, day, tax, account, centre, schedule }) => ({
      ...{
        consignmentNumber: consignment?.number ?? null,
        what,
        transactionDate: day,
        containerNumber: null,
      },
      ...{ scheduleStatus: schedule && (schedule.isApproved ? 2 : 1), taxRatePercent: tax.percent },
      ...{
        quantity: count,
        amountExclTax: amountOf(cents),
        revenueAccountCode: account,
        costCentreCode: centre?.code ?? null,
      },
      schedule,
    }),
  )
  const charged = known.map(({ schedule, ...row }) => ({
    ...{ ...row, clientName, clientCode: 'KAURI', externalId: null, referenceNumber: null },
    ...{ scheduleReference: schedule?.reference ?? null, consigneeName: null },
  }))
  const told = (await run(world, 'client-charges')).map(asBooked)
  sameRows(told, charged, {
    ...{ what: 'the report of what clients owe', keys: [...keys, 'scheduleReference'], unknown: prices },
  })
  const centre = world.notebook.books.centres.at(-1)
  if (centre !== undefined) {
    const own = charged.filter((_, i) => clientBookings[i]?.centre?.id === centre.id)
    const rows = (await run(world, 'client-charges', { costCentreId: centre.id })).map(asBooked)
    const what = `the report of what clients owe of ${centre.code}`
    sameRows(rows, own, { what, keys: [...keys, 'scheduleReference'], unknown: prices })
  }
  const scheduled = known.flatMap(({ schedule, ...row }) =>
    schedule === null
      ? []
      : [
          {
            ...{ ...row, partnerName: clientName, scheduleDate: schedule.day },
            ...{ description: schedule.description, referenceNumber: schedule.reference },
            consignmentReferenceNumber: null,
          },
        ],
  )
  const listed = (await run(world, 'scheduled-transactions')).map(asBooked)
  const what = 'the report of scheduled transactions'
  const own = [...keys, 'scheduleDate', 'referenceNumber', 'description']
  sameRows(listed, scheduled, { what, keys: own, unknown: prices })
}

async function costs(world: World): Promise<void> {
  const known = world.notebook.books.bookings
    .filter(({ partner, isVoid }) => partner === 'carrier' && !isVoid)
    .map(({ consignment, what, count, cents, day, tax }) => ({
      ...{ carrierName, consignmentNumber: consignment?.number ?? null, what, transactionDate: day },
      ...{ scheduleStatus: null, scheduleReference: null, referenceNumber: null, consigneeName: null },
      ...{ taxRatePercent: tax.percent, quantity: count, amountExclTax: amountOf(cents) },
    }))
  sameRows((await run(world, 'carrier-charges')).map(asBooked), known, {
    ...{ what: 'the report of what carriers are owed', keys, unknown: prices },
  })
}

async function schedules(world: World): Promise<void> {
  const { books } = world.notebook
  const known = books.schedules.map(schedule => {
    const { net, tax } = books.totalOf(schedule)
    const { day, reference, description, isApproved, invoice, dueOn, exported } = schedule
    return {
      ...{ partnerId: world.clientId, partnerCode: 'KAURI', partnerName: clientName, partnerRelationship: 1 },
      ...{ scheduleDate: day, scheduleStatus: isApproved ? 2 : 1, description, referenceNumber: reference },
      ...{ transactionCount: books.on(schedule).length, amountExclTax: amountOf(net) },
      ...{ taxAmount: amountOf(tax), amountInclTax: amountOf(net + tax), invoiceNumber: invoice },
      ...{ dueDate: dueOn, isExported: exported !== null, externalUrl: exported?.url ?? null },
    }
  })
  sameRows(await run(world, 'schedule-summary'), known, {
    what: 'the report of schedules',
    keys: ['referenceNumber', 'invoiceNumber', 'transactionCount', 'amountExclTax'],
  })
}

/** What freight brings, of each consignment that is charged any, or whose carrier has prices. */
async function freight(world: World): Promise<void> {
  const known: Row[] = []
  for (const consignment of world.notebook.consignments) {
    if (consignment.status === Status.Void) continue
    const row = await freightOf(world, consignment)
    if (row !== null) known.push(row)
  }
  sameRows(await run(world, 'freight-margin'), known, {
    ...{ what: 'the margin of freight', keys: ['consignmentNumber'] },
  })
}

async function freightOf(world: World, consignment: Consignment): Promise<Row | null> {
  const { bill, number, status } = consignment
  const { rows, costs } = bill ?? (await billOf(world, consignment))
  const own = rows.filter(({ isFreight, isLeftOut }) => isFreight && !isLeftOut)
  if (own.length === 0 && costs === null) return null
  const { incurred, margin, percent } = marginOf(rows, costs)
  const { quantity, weight, volume, day, fuel }: Charged = bill?.charged ?? chargedNow(world, consignment)
  const cents = own.reduce((all, row) => all + row.cents, 0)
  const raised = own.reduce((all, row) => all + row.cents - Math.round(row.cents / (1 + fuel)), 0)
  return {
    ...{
      consignmentNumber: number,
      clientName,
      carrierName: consignment.isCarried ? carrierName : null,
      warehouseName,
      originName: null,
    },
    ...{ destinationName: null, chargeDate: day, quantity },
    // Goods that weigh nothing are goods that nobody weighed.
    ...{ weightKG: weight || null, volumeM3: volume || null },
    ...{
      chargedExclTax: amountOf(cents),
      chargedFafExclTax: amountOf(raised),
      incurredExclTax: incurred && amountOf(incurred),
    },
    ...{ marginExclTax: margin && amountOf(margin), marginPercent: percent },
    ...{ threshold: null, isBelowThreshold: false },
    isFrozen: status === Status.Closed,
  }
}
