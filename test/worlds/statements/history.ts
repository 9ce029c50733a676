// The history of each consignment: who changed what, from what to what. What something was changed from is
// what it was changed to before, and at the end it is as the notebook knows it.

import assert from 'node:assert/strict'
import { round4 } from '../notebook/goods.ts'
import { type Consignment, cameFor, type Line, leftWith, promisedTo, Status } from '../notebook/orders.ts'
import { ask, type World } from '../world.ts'
import { sameText } from './figures.ts'
import type { Row } from './read-stock.ts'
import { colleagueName } from './rows.ts'

interface Change {
  field: string
  from: Row | null
  to: Row | null
}

const appName = 'Test app'
/** What is set up to print, of which nothing changes. */
const ofPrinting = ['custom-app', 'printer', 'printer-bridge']
const subjectsOf = (entries: readonly Row[]) => [...new Set(entries.map(({ subject }) => subject))].toSorted()
/** What the service does by itself. */
const byRuns = 'consignment.status.updated'
const byItself = ['consignment.import.reconciled', byRuns]

/** A colleague does nothing but extra work, which is compared change by change. */
const isByColleague = ({ type, userFullName }: Row) =>
  userFullName === colleagueName && /^consignment\.(task|consumable)s\.updated$/.test(type)

export async function history(world: World): Promise<void> {
  await organisationHistory(world)
  for (const consignment of world.notebook.consignments) {
    const what = `the history of ${consignment.number}`
    const path = `/v1/consignments/${consignment.id}/history?PageSize=500`
    const { history: told } = await ask(world, 'get', path)
    const entries: Row[] = told.toReversed()
    const isByItself = ({ type, userFullName, appName }: Row) =>
      userFullName === null && appName === null && byItself.includes(type)
    const closed = entries.filter(entry => isByItself(entry) && entry.type === byRuns)
    sameText(closed.length, consignment.closedByRuns, `${what}, how often a run closed it`)
    byOnePerson(
      world,
      entries.filter(entry => !isByItself(entry) && !isByColleague(entry)),
      what,
    )
    const changes: Change[] = entries.flatMap(({ changes }) => changes ?? [])
    const of = (field: string) => changes.filter(change => change.field === field)
    compareStatus(consignment, of('status'), what)
    compareCharges(consignment, of('charges'), what)
    for (const line of consignment.lines) compareLine(world, line, of('products'), what)
  }
}

/** One person does everything with one app, and is told by the name that they had then. */
function byOnePerson({ notebook }: World, entries: readonly Row[], what: string): void {
  const { names } = notebook.floor
  let at = 0
  for (const entry of entries) {
    sameText(entry.appName, appName, `${what}, by which app`)
    const name = names.indexOf(entry.userFullName, at)
    assert.ok(name >= 0, `${what} names ${entry.userFullName}, after ${names[at]}`)
    at = name
  }
}

/**
 * Who set the terms of payment and renamed the person. Nothing else of the organisation changes, and nobody
 * does what nobody did.
 */
async function organisationHistory(world: World): Promise<void> {
  const { caller, notebook } = world
  const { organisationHistory: all } = (await caller.get('/v1/organisation/history?PageSize=500')).body
  const told = all.filter(({ subject }: Row) => !ofPrinting.includes(subject))
  const setUp = all.filter(({ subject }: Row) => ofPrinting.includes(subject))
  sameText(
    subjectsOf(setUp),
    notebook.prints.isSetUp ? ofPrinting : ofPrinting.slice(0, 1),
    'the history of printing',
  )
  const changed = setUp.flatMap(({ changes }: Row) => changes).filter(({ from }: Row) => from !== null)
  sameText(changed, [], 'what was changed of printing')
  const byPeople: Row[] = told.filter(({ userFullName }: Row) => userFullName !== null).toReversed()
  const what = 'the history of the organisation'
  byOnePerson(world, byPeople, what)
  const changesOf = (subject: string) =>
    byPeople.filter(entry => entry.subject === subject).map(entry => entry.changes)
  const terms = notebook.books.termsSet.map(([from, to]) => [{ field: 'paymentTermsDays', from, to }])
  sameText(changesOf('organisation'), terms, what)
  const { names } = notebook.floor
  const renamed = names.slice(1).map((to, i) => [{ field: 'fullName', from: names[i], to }])
  sameText(changesOf('user'), renamed, `${what}, the person`)
  assert.equal(byPeople.length, terms.length + renamed.length, `${what} has more`)
  const byNobody = told.filter(({ userFullName }: Row) => userFullName === null)
  const made = byNobody.flatMap(({ changes }: Row) => changes).filter(({ from }: Row) => from !== null)
  sameText(made, [], `${what}, what nobody did`)
}

function compareStatus({ status }: Consignment, changes: readonly Change[], what: string): void {
  let now: unknown = Status.Pending
  for (const { from, to } of changes) {
    sameText(from, now, `${what}, a status before it changed`)
    now = to
  }
  sameText(now, status, `${what}, the last status`)
}

/** What was entered and left out, in the order in which it was. */
function compareCharges({ touched }: Consignment, changes: readonly Change[], what: string): void {
  const told = changes.map(({ from, to }) => ({
    amount: to?.amountExclTax ?? null,
    before: from?.isIncluded ?? null,
    after: to?.isIncluded ?? null,
  }))
  sameText(told, touched, `${what}, the charges that somebody touched`)
}

/** The figures of a line, by their names in the history. */
const figures = (world: World, line: Line): Record<string, number> => ({
  allocatedQuantity: promisedTo(world.notebook.floor, line, false),
  pickedQuantity: promisedTo(world.notebook.floor, line, true),
  receivedQuantity: cameFor(line).quantity,
  dispatchedQuantity: leftWith(line).quantity,
})

function compareLine(world: World, line: Line, changes: readonly Change[], what: string): void {
  const own = changes.filter(({ from, to }) => (to ?? from)?.id === line.id)
  for (const [name, known] of Object.entries(figures(world, line))) {
    let now = 0
    // What others took is told as one sum, of what was picked and what was not.
    let released = 0
    for (const { from, to } of own) {
      released += to?.releasedQuantity ?? 0
      if (to?.[name] === undefined) continue
      const before = from?.[name] ?? 0
      const isKnown = before === now || (before < now && round4(now - before) <= released)
      if (!isKnown) sameText(before, now, `${what}, ${name} of line ${line.ordinal + 1} before it changed`)
      now = to[name]
      released = 0
    }
    if (round4(now - known) > released || known > now)
      sameText(now, round4(known), `${what}, the last ${name} of line ${line.ordinal + 1}`)
  }
}
