// The list of products, `/products`, with the dialog that makes one.

import { useState } from 'react'
import type { paths } from '../../../../client/src/generated/api.ts'
import { Button } from '../../../../ui/Button.tsx'
import { SelectField } from '../../../../ui/Field.tsx'
import { useKeys } from '../../../../ui/keys.ts'
import { notify } from '../../../../ui/Notices.tsx'
import { type BodyOf, send } from '../../api.ts'
import { Listing } from '../../frame/Listing.tsx'
import { RecordDialog } from '../../frame/RecordForm.tsx'
import { productList } from '../../lists/products.tsx'
import { hasScope, kindOf, type Me, useMe } from '../../me.ts'
import { readAgain } from '../../queries.ts'
import { useGo, useSearch } from '../../router.tsx'
import { useClients } from '../../suggestions.ts'
import { productWords as words } from '../../words/products.ts'
import { nameFields, useFactFields } from './product-fields.ts'

/** Whether the person may set products up. */
export const mayChangeProducts = (me: Me): boolean => hasScope(me, 'partner') && kindOf(me) === 'staff'

export function Screen() {
  const mayAct = mayChangeProducts(useMe())
  const [isMaking, setMaking] = useState(false)
  useKeys(mayAct ? { c: () => setMaking(true) } : {})
  return (
    <>
      <Listing
        list={productList}
        acts={
          mayAct && (
            <Button kind="main" hint="C" onPress={() => setMaking(true)}>
              {words.newProduct}
            </Button>
          )
        }
      />
      {isMaking && <NewProduct onClose={() => setMaking(false)} />}
    </>
  )
}

type NewProductBody = BodyOf<NonNullable<paths['/v1/partners/{partnerId}/products']['post']>>

/** The few fields that a new product begins with; its own page has the rest. */
const firstFields = ['productGroupId', 'barcode', 'gtin', 'weightKG']

function NewProduct({ onClose }: { onClose: () => void }) {
  const go = useGo()
  const { PartnerId } = useSearch()
  const clients = useClients(useMe())
  const facts = useFactFields()
  const fields = [...nameFields, ...facts.filter(({ path }) => firstFields.includes(path))]
  const [chosen, setChosen] = useState([PartnerId].flat()[0] ?? '')
  const partnerId = chosen || (clients[0]?.id ?? '')
  return (
    <RecordDialog
      act={words.newProduct}
      groups={[{ fields }]}
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
        go(`/products/${partnerId}/${data.partnerProductId}`)
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
