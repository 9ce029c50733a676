// What people wrote on consignments, and how it changed.

import type { Consignment } from './orders.ts'

export interface Note {
  id: string
  text: string
  /** whether papers show it */
  isPrinted: boolean
  /** what who wrote it was called then */
  by: string
  consignment: Consignment
  isGone: boolean
}

/** What a note was before it changed, and after; null for none. */
export interface NoteChange {
  id: string
  from: Partial<Pick<Note, 'text' | 'isPrinted'>> | null
  to: Partial<Pick<Note, 'text' | 'isPrinted'>> | null
}

export class Notes {
  readonly all: Note[] = []
  /** in the order in which they happened */
  readonly changes: NoteChange[] = []

  on(consignment: Consignment): Note[] {
    return this.all.filter(note => note.consignment === consignment && !note.isGone)
  }

  write(note: Note): void {
    const { id, text, isPrinted } = note
    this.all.push(note)
    this.changes.push({ id, from: null, to: { text, isPrinted } })
  }

  change(note: Note, to: Partial<Pick<Note, 'text' | 'isPrinted'>>): void {
    const { id, text, isPrinted } = note
    this.changes.push({
      id,
      from: {
        ...(to.text === undefined ? {} : { text }),
        ...(to.isPrinted === undefined ? {} : { isPrinted }),
      },
      to,
    })
    Object.assign(note, to)
  }

  remove(note: Note): void {
    const { id, text, isPrinted } = note
    note.isGone = true
    this.changes.push({ id, from: { text, isPrinted }, to: null })
  }
}
