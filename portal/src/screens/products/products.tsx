// The list of products, `/products`, with the dialog that makes one.

import { useState } from 'react'
import { Button } from '../../../../ui/Button.tsx'
import { useKeys } from '../../../../ui/keys.ts'
import { Listing } from '../../frame/Listing.tsx'
import { productList } from '../../lists/products.tsx'
import { useMe } from '../../me.ts'
import { useGo, useSearch } from '../../router.tsx'
import { productWords as words } from '../../words/products.ts'
import { mayChangeProducts, NewProduct } from './new-product.tsx'

export function Screen() {
  const mayAct = mayChangeProducts(useMe())
  const go = useGo()
  const { PartnerId } = useSearch()
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
      {isMaking && (
        <NewProduct
          act={words.newProduct}
          clientId={[PartnerId].flat()[0]}
          onMade={go}
          onClose={() => setMaking(false)}
        />
      )}
    </>
  )
}
