// What the papers of a dangerous product say, and its hazard classes.

import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../../../../ui/Button.tsx'
import { Confirm } from '../../../../ui/Confirm.tsx'
import { SelectField } from '../../../../ui/Field.tsx'
import { notify } from '../../../../ui/Notices.tsx'
import { Nothing, Region, Rows } from '../../../../ui/Region.tsx'
import { entityTagOf } from '../../api.ts'
import { readAll } from '../../every-page.ts'
import { EditableRegion } from '../../frame/EditableRegion.tsx'
import { reasonsOf } from '../../rehearse.ts'
import { productWords as words } from '../../words/products.ts'
import { changeProduct, type ProductProps } from './product.tsx'
import { dangerFields } from './product-fields.ts'

export function DangerousGoods({ partnerId, product, mayEdit }: ProductProps) {
  return (
    <>
      <EditableRegion
        heading={words.dangerous}
        record={product}
        path="/v1/partners/{partnerId}/products/{partnerProductId}"
        groups={[{ fields: dangerFields }]}
        mayEdit={mayEdit}
        done={words.saved(product.code)}
        save={(changes, ifMatch) => changeProduct({ partnerId, product }, changes, ifMatch)}
      >
        {product.isDangerousGood ? undefined : <Nothing text={words.notDangerous} />}
      </EditableRegion>
      {product.isDangerousGood && <HazardClasses partnerId={partnerId} product={product} mayEdit={mayEdit} />}
    </>
  )
}

function HazardClasses({ partnerId, product, mayEdit }: ProductProps) {
  const [isAdding, setAdding] = useState(false)
  const present = product.dgHazardClasses
  const kept = present.map(({ dgHazardClass, dgHazardCategory }) => ({
    dgHazardClassId: dgHazardClass.id,
    dgHazardCategoryId: dgHazardCategory?.id ?? null,
  }))
  const put = (dgHazardClasses: typeof kept) =>
    changeProduct({ partnerId, product }, { dgHazardClasses }, entityTagOf(product))
  const remove = (id: string) =>
    put(kept.filter(({ dgHazardClassId }) => dgHazardClassId !== id)).catch(error =>
      notify({ text: reasonsOf(error).join(' '), isAlert: true }),
    )
  return (
    <Region
      heading={words.hazardClasses}
      acts={mayEdit && <Button onPress={() => setAdding(true)}>{words.addClass}</Button>}
    >
      {present.length === 0 ? (
        <Nothing text={words.nothing} />
      ) : (
        <Rows>
          {present.map(({ dgStandard, dgHazardClass, dgHazardCategory }) => (
            <li key={dgHazardClass.id}>
              <span>
                <b>{dgHazardClass.name}</b> {words.standards[dgStandard]}
                {dgHazardCategory !== null && `, ${dgHazardCategory.name}`}
              </span>
              {mayEdit && (
                <Button
                  kind="quiet"
                  label={words.removeClass(dgHazardClass.name)}
                  onPress={() => void remove(dgHazardClass.id)}
                >
                  {words.remove}
                </Button>
              )}
            </li>
          ))}
        </Rows>
      )}
      {isAdding && (
        <AddClass
          taken={kept.map(({ dgHazardClassId }) => dgHazardClassId)}
          onClose={() => setAdding(false)}
          onAdd={dgHazardClassId => put([...kept, { dgHazardClassId, dgHazardCategoryId: null }])}
        />
      )}
    </Region>
  )
}

function AddClass({
  taken,
  onClose,
  onAdd,
}: {
  taken: readonly string[]
  onClose: () => void
  onAdd: (id: string) => Promise<unknown>
}) {
  const [chosen, setChosen] = useState('')
  const { data } = useQuery({
    ...readAll('/v1/dg-hazard-classes'),
    staleTime: 60_000,
  })
  const choices = (data?.dgHazardClasses ?? [])
    .filter(({ id }) => !taken.includes(id))
    .map(({ id, name, dgStandard }) => ({ value: id, text: `${words.standards[dgStandard]} ${name}` }))
  const id = chosen || (choices[0]?.value ?? '')
  return (
    <Confirm
      act={words.addClass}
      onClose={onClose}
      isDisabled={id === ''}
      reasonsOf={reasonsOf}
      onConfirm={() => onAdd(id)}
    >
      <SelectField label={words.hazardClass} value={id} onChange={setChosen} options={choices} />
    </Confirm>
  )
}
