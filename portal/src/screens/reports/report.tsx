// A report, `/reports/{name}`: a form of the filters that its definition has, its first rows with their sums,
// and a plot. The filters stand in the address, so its link shows a colleague the same.

import { useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../../../../ui/Button.tsx'
import { useKeys } from '../../../../ui/keys.ts'
import { notify } from '../../../../ui/Notices.tsx'
import { Nothing, Region } from '../../../../ui/Region.tsx'
import { faultsOf } from '../../faults.ts'
import { NotHere } from '../../frame/Fault.tsx'
import { Page } from '../../frame/Page.tsx'
import {
  bodyOf,
  type FilterTexts,
  filtersIn,
  type Report,
  reportsQuery,
  saveReport,
  useReportRows,
} from '../../reports.ts'
import { Link, useGo, useIds, useSearch } from '../../router.tsx'
import { reportWords as words } from '../../words/reports.ts'
import { FilterForm } from './filter-form.tsx'
import styles from './reports.module.css'
import { ReportResult } from './result.tsx'

export function Screen() {
  const { name } = useIds()
  const report = useSuspenseQuery(reportsQuery).data.reports.find(one => one.name === name)
  // The form of another report begins anew.
  return report === undefined ? <NotHere /> : <ReportPage key={name} report={report} />
}

const copyLink = () =>
  navigator.clipboard.writeText(location.href).then(
    () => notify({ text: words.linkCopied }),
    () => notify({ text: words.cannotCopy, isAlert: true }),
  )

function ReportPage({ report }: { report: Report }) {
  const search = useSearch()
  const go = useGo()
  const isRun = search.Run !== undefined
  const inAddress = filtersIn(report, search)
  const [typed, setTyped] = useState<FilterTexts>(inAddress)
  const result = useReportRows(report, inAddress, isRun)
  const run = () => {
    go(`/reports/${report.name}`, { ...typed, Run: '1' })
    if (isRun && JSON.stringify(bodyOf(report, typed)) === JSON.stringify(bodyOf(report, inAddress)))
      void result.refetch()
  }
  useKeys({ m: run })
  const file = (kind: 'xlsx' | 'csv') => void saveReport(report, kind, bodyOf(report, typed))
  return (
    <Page
      heading={report.title}
      above={<Link to="/reports">{words.reports}</Link>}
      acts={
        <>
          {isRun && <Button onPress={() => void copyLink()}>{words.copyLink}</Button>}
          <Button onPress={() => file('csv')}>{words.csv}</Button>
          <Button onPress={() => file('xlsx')}>{words.excel}</Button>
        </>
      }
    >
      <p className={styles.why}>{words.firstSentence(report.description)}</p>
      <Region heading={words.filters}>
        <FilterForm
          filters={report.filters}
          typed={typed}
          onChange={setTyped}
          onRun={run}
          isRunning={result.isFetching}
          faults={faultsOf(result.error ?? undefined)}
        />
      </Region>
      {isRun ? (
        <ReportResult report={report} result={result} />
      ) : (
        <Region heading={words.rows} state="empty">
          <Nothing text={words.notRun} />
        </Region>
      )}
    </Page>
  )
}
