// What is being edited of a version, until it is saved.

import { useState } from 'react'
import { notify } from '../../../../ui/Notices.tsx'
import { send } from '../../api.ts'
import { useEdited } from '../../frame/Conflict.tsx'
import { readAgain } from '../../queries.ts'
import { rateCardWords } from '../../words/rate-cards.ts'
import type { Content } from '../../words/rate-charges.ts'
import { editorWords as words } from '../../words/rate-editor.ts'
import type { Card } from './card.tsx'
import type { VersionDetail } from './version.tsx'

/** The terms of a version that are not its content. */
export interface DraftTerms {
  effectiveFrom: string
  note: string
}

export type Draft = ReturnType<typeof useDraft>

/** `onSaved` is called once the saved version has been read. */
export function useDraft(card: Card, version: VersionDetail, onSaved: () => void) {
  const [content, setContent] = useState<Content>(version.content)
  const [terms, setTerms] = useState<DraftTerms>({
    effectiveFrom: version.effectiveFrom,
    note: version.note ?? '',
  })
  const [opened] = useState({ version, ...{ content, terms } })
  const isContentDirty = JSON.stringify(content) !== JSON.stringify(opened.content)
  const isDirty = isContentDirty || JSON.stringify(terms) !== JSON.stringify(opened.terms)
  const edited = useEdited(version, '/v1/rate-cards', async ifMatch => {
    const { hasChanged } = await send('put', '/v1/rate-cards/{rateCardId}/versions/{rateCardVersionId}', {
      path: { rateCardId: card.id, rateCardVersionId: version.id },
      body: {
        effectiveFrom: terms.effectiveFrom,
        note: terms.note.trim() || null,
        ...(isContentDirty ? { content } : {}),
      },
      ifMatch,
    })
    notify({ text: hasChanged ? words.saved : rateCardWords.unchanged })
    await readAgain('/v1/rate-cards')
    onSaved()
  })
  return {
    ...{ content, setContent, terms, setTerms, isDirty, edited },
    /** Everything is again as it was opened. */
    undo: () => {
      setContent(opened.content)
      setTerms(opened.terms)
    },
  }
}
