// People write notes on consignments, change their minds about them, and remove them; on none that is closed.

import assert from 'node:assert/strict'
import type { Choices } from '../choices.ts'
import type { DeedKind } from '../deed.ts'
import { Status } from '../notebook/orders.ts'
import { ask, say, type World } from '../world.ts'

async function write(world: World, choices: Choices): Promise<void> {
  const { notebook } = world
  const consignment = choices.among(notebook.consignments, ({ tag }) => tag)
  if (consignment === undefined) return
  const [text, isPrinted] = [notebook.newName('NOTE'), choices.onceIn(2)]
  const isClosed = consignment.status === Status.Closed
  say(world, `write ${text} on ${consignment.number}${isPrinted ? ', to be printed' : ''}`)
  world.way = 'once'
  const body = { note: text, ...(isPrinted ? { displayOnPrintOut: true } : {}) }
  const mayBe = isClosed ? ['wrong_status'] : []
  const id = await ask(world, 'post', `/v1/consignments/${consignment.id}/notes`, body, { mayBe })
  assert.equal(id === null, isClosed, `a note on ${consignment.number}, which is closed`)
  const note = { id, text, isPrinted, by: notebook.person, consignment, isGone: false }
  if (id !== null) notebook.notes.write(note)
}

async function change(world: World, choices: Choices): Promise<void> {
  const { notebook } = world
  const note = choices.among(
    notebook.notes.all.filter(({ isGone, consignment }) => !isGone && consignment.status !== Status.Closed),
    ({ text }) => text,
  )
  if (note === undefined) return
  const path = `/v1/consignments/${note.consignment.id}/notes/${note.id}`
  const what = choices.of(['remove', 'show', 'rewrite'] as const)
  say(world, `${what} the note ${note.text}`)
  world.way = 'once'
  if (what === 'remove') {
    await ask(world, 'delete', path)
    notebook.notes.remove(note)
  } else if (what === 'show') {
    const isPrinted = !note.isPrinted
    await ask(world, 'put', `${path}/display-on-printout`, { displayOnPrintOut: isPrinted })
    notebook.notes.change(note, { isPrinted })
  } else {
    const text = notebook.newName('NOTE')
    await ask(world, 'put', path, { note: text })
    notebook.notes.change(note, { text })
  }
}

export const noteKinds: DeedKind[] = [
  { name: 'write a note', often: 1, perform: write },
  { name: 'change a note', often: 1, perform: change },
]
