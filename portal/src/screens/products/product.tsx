// A product, `/products/{partnerId}/{id}`: its unit chain, stock, rules and papers.

import { useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ProductStatus, SerialTrackingMode } from '../../../../client/src/waybill.ts'
import { Button } from '../../../../ui/Button.tsx'
import { Confirm } from '../../../../ui/Confirm.tsx'
import { Menu } from '../../../../ui/Menu.tsx'
import { notify } from '../../../../ui/Notices.tsx'
import { Pill } from '../../../../ui/Pill.tsx'
import { entityTagOf, type Got, read, readFile, send } from '../../api.ts'
import { EditableRegion } from '../../frame/EditableRegion.tsx'
import { save } from '../../frame/export-rows.ts'
import { Page } from '../../frame/Page.tsx'
import { hasScope, useMe } from '../../me.ts'
import { readAgain } from '../../queries.ts'
import { reasonsOf } from '../../rehearse.ts'
import { Link, useIds } from '../../router.tsx'
import { useClientOptions } from '../../suggestions.ts'
import { productWords as words } from '../../words/products.ts'
import { stockRuleWords as rules } from '../../words/stock-rules.ts'
import { DangerousGoods } from './dangerous-goods.tsx'
import { mayChangeProducts } from './new-product.tsx'
import { OwnRules } from './own-rules.tsx'
import { PrintLabel } from './print-label.tsx'
import { ruleFields, usageFields, useFactFields } from './product-fields.ts'
import { ProductStock } from './product-stock.tsx'
import { UnitChain } from './unit-chain.tsx'

const path = '/v1/partners/{partnerId}/products/{partnerProductId}'

/** A product as its record shows it. */
export type Product = Got<typeof path>

/** A product and the client that it is of. */
export interface ProductProps {
  partnerId: string
  product: Product
  mayEdit: boolean
}

/** Sends what was changed of a product. */
export async function changeProduct(
  { partnerId, product }: Pick<ProductProps, 'partnerId' | 'product'>,
  body: object,
  ifMatch?: string,
) {
  const answer = await send('put', path, {
    path: { partnerId, partnerProductId: product.id },
    body,
    ifMatch,
  })
  await readAgain('/v1/products', path)
  return answer
}

export function Screen() {
  const { partnerId = '', id: partnerProductId = '' } = useIds()
  const { data: product } = useSuspenseQuery(read(path, { path: { partnerId, partnerProductId } }))
  const me = useMe()
  const mayEdit = mayChangeProducts(me)
  const factFields = useFactFields()
  const region = {
    ...{ record: product, path, mayEdit, done: words.saved(product.code) },
    save: (changes: object, ifMatch?: string) => changeProduct({ partnerId, product }, changes, ifMatch),
  }
  return (
    <Page
      heading={product.code}
      id={partnerProductId}
      above={<Link to="/products">{words.products}</Link>}
      beside={<Beside partnerId={partnerId} product={product} />}
      acts={<Acts partnerId={partnerId} product={product} mayEdit={mayEdit} />}
    >
      <UnitChain partnerId={partnerId} product={product} mayEdit={mayEdit} />
      {hasScope(me, 'inventory.read') && <ProductStock partnerId={partnerId} product={product} />}
      <EditableRegion heading={words.details} groups={[{ fields: factFields }]} isMain {...region} />
      <EditableRegion heading={words.datesAndSerials} groups={[{ fields: usageFields }]} {...region} />
      <EditableRegion heading={rules.stockRules} groups={[{ fields: ruleFields }]} {...region}>
        <OwnRules product={product} />
      </EditableRegion>
      <DangerousGoods partnerId={partnerId} product={product} mayEdit={mayEdit} />
    </Page>
  )
}

function Beside({ partnerId, product }: Omit<ProductProps, 'mayEdit'>) {
  const { name, status, isDangerousGood, dgUnNumber, serialTrackingMode } = product
  const client = useClientOptions(useMe()).find(({ value }) => value === partnerId)
  return (
    <>
      <span>
        {name}
        {client !== undefined && (
          <>
            {' '}
            {words.of} <Link to={`/partners/${partnerId}`}>{client.text}</Link>
          </>
        )}
      </span>
      {status === ProductStatus.Inactive && <Pill text={words.inactive} tone="waits" isRing />}
      {isDangerousGood && (
        <Pill text={[words.dangerousGood, dgUnNumber].filter(Boolean).join(' ')} tone="warehouse" />
      )}
      {serialTrackingMode !== SerialTrackingMode.None && (
        <Pill text={words.serialsOf(serialTrackingMode)} tone="waits" />
      )}
    </>
  )
}

async function downloadLabel(partnerId: string, { id, code }: Product): Promise<void> {
  try {
    const { blob, name } = await readFile(`/v1/partners/${partnerId}/products/${id}/label`)
    save(blob, name ?? `${code}.pdf`)
  } catch (error) {
    notify({ text: reasonsOf(error).join(' '), isAlert: true })
  }
}

function Acts({ partnerId, product, mayEdit }: ProductProps) {
  const me = useMe()
  const [shown, setShown] = useState<'print' | 'deactivate'>()
  const isActive = product.status === ProductStatus.Active
  const close = () => setShown(undefined)
  const setStatus = async (status: number) => {
    await changeProduct({ partnerId, product }, { status }, entityTagOf(product))
    notify({ text: words.saved(product.code) })
  }
  const activate = () =>
    setStatus(ProductStatus.Active).catch(error =>
      notify({ text: reasonsOf(error).join(' '), isAlert: true }),
    )
  const label = [
    {
      ...{ id: 'download', text: words.downloadLabel },
      onAct: () => void downloadLabel(partnerId, product),
    },
    ...(hasScope(me, 'print')
      ? [{ id: 'print', text: `${words.printLabel}…`, onAct: () => setShown('print') }]
      : []),
  ]
  return (
    <>
      {mayEdit &&
        (isActive ? (
          <Button label={words.deactivate} onPress={() => setShown('deactivate')}>
            {words.deactivate}…
          </Button>
        ) : (
          <Button onPress={() => void activate()}>{words.activate}</Button>
        ))}
      <Menu label={words.label} groups={[{ acts: label }]}>
        <Button>{words.label}</Button>
      </Menu>
      {shown === 'print' && <PrintLabel partnerId={partnerId} product={product} onClose={close} />}
      {shown === 'deactivate' && (
        <Confirm
          act={words.deactivate}
          isAlert
          onClose={close}
          reasonsOf={reasonsOf}
          onConfirm={() => setStatus(ProductStatus.Inactive)}
        >
          <p>{words.deactivateWhy(product.code)}</p>
        </Confirm>
      )}
    </>
  )
}
