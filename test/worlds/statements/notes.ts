// The notes on consignments: each as it was written last, its author as called then, on papers only if it is to
// be printed, and its history.

import assert from 'node:assert/strict'
import { linesOf } from '../../support/pdf.ts'
import type { Note, NoteChange } from '../notebook/notes.ts'
import { ask, untilNotBusy, type World } from '../world.ts'
import { sameText } from './figures.ts'
import type { Row } from './read-stock.ts'

export async function notes(world: World): Promise<void> {
  const { notebook } = world
  for (const consignment of notebook.consignments) {
    const what = `the notes on ${consignment.number}`
    const { notes: all } = await ask(world, 'get', `/v1/consignments/${consignment.id}`)
    // A return begins with its reason.
    const isReason = ({ note }: Row) => consignment.returnOf !== null && note === 'Too green'
    const told = all.filter((row: Row) => !isReason(row))
    sameText(
      all.length - told.length,
      consignment.returnOf === null ? 0 : 1,
      `${what}, the reason of a return`,
    )
    const known = notebook.notes.on(consignment)
    sameText(
      inOrder(told),
      inOrder(
        known.map(({ id, text, isPrinted }) => ({
          ...{ id, note: text, displayOnPrintOut: isPrinted, attachmentCount: 0 },
        })),
      ),
      what,
    )
    for (const note of known) await compareNote(world, note)
    await compareHistory(world, consignment.id, what)
  }
  await comparePaper(world)
}

const inOrder = (rows: readonly Row[]) => rows.toSorted((a, b) => (a.id < b.id ? -1 : 1))

async function compareNote(world: World, { id, text, isPrinted, by, consignment }: Note): Promise<void> {
  const { createdUtc, ...told } = await ask(world, 'get', `/v1/consignments/${consignment.id}/notes/${id}`)
  const known = { id, createdBy: by, note: text, displayOnPrintOut: isPrinted, attachments: [] }
  sameText(told, known, `the note ${text} on ${consignment.number}`)
  assert.ok(Date.parse(createdUtc) <= Date.now(), `the note ${text} was written in the past`)
}

const fieldsOf = (id: string, part: NoteChange['from']) =>
  part && {
    id,
    ...(part.text === undefined ? {} : { note: part.text }),
    ...(part.isPrinted === undefined ? {} : { displayOnPrintOut: part.isPrinted }),
  }

async function compareHistory(world: World, consignmentId: string, what: string): Promise<void> {
  const { notes: written } = world.notebook
  const own = written.all.filter(({ consignment }) => consignment.id === consignmentId).map(({ id }) => id)
  const path = `/v1/consignments/${consignmentId}/history?PageSize=500`
  const { history } = await ask(world, 'get', path)
  const told = history
    .toReversed()
    .flatMap(({ changes }: Row) => changes ?? [])
    .filter(({ field, from, to }: Row) => field === 'notes' && own.includes((to ?? from).id))
    .map(({ from, to }: Row) => ({ from, to }))
  const known = written.changes
    .filter(({ id }) => own.includes(id))
    .map(({ id, from, to }) => ({ from: fieldsOf(id, from), to: fieldsOf(id, to) }))
  sameText(told, known, `${what}, their history`)
}

/** One consignment that has notes is read on paper. */
async function comparePaper(world: World): Promise<void> {
  const { notes: written } = world.notebook
  const note = written.all.findLast(({ isGone }) => !isGone)
  if (note === undefined || written.changes.length % 2 === 0) return
  const path = `/v1/consignments/${note.consignment.id}/detail-pdf`
  const { status, bytes } = await untilNotBusy(() => world.caller.get(path))
  assert.equal(status, 200, path)
  const lines = (await linesOf(bytes)).flat()
  for (const { text, isPrinted } of written.on(note.consignment))
    sameText(lines.includes(text), isPrinted, `whether the note ${text} is printed`)
}
