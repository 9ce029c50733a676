// Reference data, `/reference/{collection}`: a tab for each collection.

import { useMemo, useState } from 'react'
import { Button } from '../../../../ui/Button.tsx'
import { useKeys } from '../../../../ui/keys.ts'
import { send } from '../../api.ts'
import { actOnEachNow, ConfirmEach, type EachAct } from '../../frame/ActOnEach.tsx'
import { NotHere } from '../../frame/Fault.tsx'
import { ListRegion } from '../../frame/ListRegion.tsx'
import { Page } from '../../frame/Page.tsx'
import { Tabs } from '../../frame/Views.tsx'
import {
  type Collection,
  collections,
  isOwn,
  type OwnCollection,
  type ReferenceRow,
  referenceListOf,
} from '../../lists/reference.tsx'
import { hasScope, useMe } from '../../me.ts'
import { readAgain } from '../../queries.ts'
import { useChangeSearch, useGo, useIds, useSearch } from '../../router.tsx'
import { referenceWords as words } from '../../words/reference.ts'
import { Activities } from '../billing/activities.tsx'
import { HazardCategories } from './hazard-categories.tsx'
import styles from './reference.module.css'
import { EditReference, NewReference } from './reference-dialogs.tsx'

/** What work is called on bills. Billing set-up has it, too, beside localities and FAF profiles. */
const activities = 'activity-types'
type Shown = Collection | typeof activities

const textOf = (collection: Shown) =>
  collection === activities ? words.activities : words.collection[collection]

export function Screen() {
  const { collection: named = '' } = useIds()
  const go = useGo()
  const mayReadMoney = hasScope(useMe(), 'financial.read')
  const shown: readonly Shown[] = mayReadMoney ? [...collections, activities] : collections
  const collection = shown.find(one => one === named)
  if (collection === undefined) return <NotHere />
  return (
    <Page heading={words.referenceData}>
      <div className={styles.tabs}>
        <Tabs
          label={words.collections}
          tabs={shown.map(one => ({
            ...{ key: one, text: textOf(one), isChosen: one === collection },
            onChoose: () => go(`/reference/${one}`),
          }))}
        />
      </div>
      {collection === activities ? <Activities /> : <Records key={collection} collection={collection} />}
    </Page>
  )
}

function Records({ collection }: { collection: Collection }) {
  const list = useMemo(() => referenceListOf(collection), [collection])
  const change = useChangeSearch()
  const { Record: opened, view } = useSearch()
  const [isMaking, setMaking] = useState(false)
  const [leaving, setLeaving] = useState<EachAct<ReferenceRow>>()
  const own = isOwn(collection) ? collection : undefined
  const mayAct = hasScope(useMe(), 'organisation') && own !== undefined
  useKeys(mayAct ? { c: () => setMaking(true) } : {})
  const close = () => change({ Record: undefined })
  const selectedActs = (rows: readonly ReferenceRow[], clear: () => void) =>
    own !== undefined &&
    (view === 'inactive' ? (
      <Button onPress={() => void actOnEachNow(eachOf(own, rows, clear, 1))}>{words.activate}</Button>
    ) : (
      <Button onPress={() => setLeaving(eachOf(own, rows, clear, 2))}>{words.deactivate}…</Button>
    ))
  return (
    <>
      <ListRegion
        list={list}
        onOpen={({ id }) => change({ Record: id })}
        selectedActs={mayAct ? selectedActs : undefined}
        acts={
          mayAct && (
            <Button kind="main" hint="C" onPress={() => setMaking(true)}>
              {words.new}
            </Button>
          )
        }
      />
      {isMaking && own !== undefined && <NewReference collection={own} onClose={() => setMaking(false)} />}
      {typeof opened === 'string' && own !== undefined && (
        <EditReference key={opened} collection={own} id={opened} mayAct={mayAct} onClose={close} />
      )}
      {typeof opened === 'string' && collection === 'dg-hazard-classes' && (
        <HazardCategories dgHazardClassId={opened} onClose={close} />
      )}
      {leaving !== undefined && (
        <ConfirmEach act={words.deactivate} each={leaving} onClose={() => setLeaving(undefined)}>
          <p>{words.deactivateWhy(leaving.rows.length)}</p>
        </ConfirmEach>
      )}
    </>
  )
}

/** Gives records a status. */
const eachOf = (
  collection: OwnCollection,
  rows: readonly ReferenceRow[],
  clear: () => void,
  status: 1 | 2,
): EachAct<ReferenceRow> => ({
  ...{ rows, clear },
  nameOf: ({ name }) => name,
  send: ({ id }) => send('put', `/v1/${collection}/{id}`, { path: { id }, body: { status } }),
  readAgain: () => readAgain(`/v1/${collection}`),
  done: status === 1 ? words.activated(rows.length) : words.deactivated(rows.length),
})
