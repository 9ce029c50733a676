// The dialog that makes a product of a client.

import { useState } from 'react'
import type { paths } from '../../../../client/src/generated/api.ts'
import { SelectField } from '../../../../ui/Field.tsx'
import { notify } from '../../../../ui/Notices.tsx'
import { type BodyOf, send } from '../../api.ts'
import { RecordDialog } from '../../frame/RecordForm.tsx'
import { hasScope, kindOf, type Me, useMe } from '../../me.ts'
import { readAgain } from '../../queries.ts'
import { useClients } from '../../suggestions.ts'
import { productWords as words } from '../../words/products.ts'
import { nameFields, useFactFields } from './product-fields.ts'

/** Whether the person may set products up. */
export const mayChangeProducts = (me: Me): boolean => hasScope(me, 'partner') && kindOf(me) === 'staff'

type NewProductBody = BodyOf<NonNullable<paths['/v1/partners/{partnerId}/products']['post']>>

/** The few fields that a new product begins with; its own page has the rest. */
const firstFields = ['productGroupId', 'barcode', 'gtin', 'weightKG']

export interface NewProductProps {
  act: string
  /** the client to begin with */
  clientId?: string | undefined
  /** the code to begin with */
  code?: string
  onMade?: (path: string) => void
  onClose: () => void
}

/** The dialog. */
export function NewProduct({ act, clientId, code = '', onMade, onClose }: NewProductProps) {
  const clients = useClients(useMe())
  const facts = useFactFields()
  const fields = [...nameFields, ...facts.filter(({ path }) => firstFields.includes(path))]
  const [chosen, setChosen] = useState('')
  const partnerId = chosen || (clientId ?? clients[0]?.id ?? '')
  return (
    <RecordDialog
      act={act}
      groups={[{ fields }]}
      initial={{ code }}
      path="/v1/products"
      isIncomplete={partnerId === ''}
      save={async change => {
        const body = change as NewProductBody
        const { data } = await send('post', '/v1/partners/{partnerId}/products', {
          path: { partnerId },
          body,
        })
        notify({ text: words.made(body.code) })
        await readAgain('/v1/partners', '/v1/consignment-imports')
        onMade?.(`/products/${partnerId}/${data.partnerProductId}`)
      }}
      onClose={onClose}
    >
      <SelectField
        label={words.client}
        value={partnerId}
        onChange={setChosen}
        options={clients.map(({ id, name }) => ({ value: id, text: name }))}
      />
    </RecordDialog>
  )
}
