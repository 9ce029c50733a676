// The reports, `/reports`, by chapter. Each can be saved as Excel from here, without filters.

import { useSuspenseQuery } from '@tanstack/react-query'
import { Button } from '../../../../ui/Button.tsx'
import { Nothing, Region, Rows } from '../../../../ui/Region.tsx'
import { Page } from '../../frame/Page.tsx'
import { reportsQuery, saveReport } from '../../reports.ts'
import { Link } from '../../router.tsx'
import { reportWords as words } from '../../words/reports.ts'
import styles from './reports.module.css'

const chapters = ['stock', 'consignments', 'operations'] as const

export function Screen() {
  const { reports } = useSuspenseQuery(reportsQuery).data
  const shown = chapters
    .map(chapter => ({ chapter, those: reports.filter(report => report.chapter === chapter) }))
    .filter(({ those }) => those.length > 0)
  return (
    <Page heading={words.reports} state={shown.length === 0 ? 'empty' : 'ready'}>
      {shown.length === 0 && <Nothing text={words.none} />}
      {shown.map(({ chapter, those }) => (
        <Region key={chapter} heading={words.chapter(chapter)}>
          <Rows>
            {those.map(report => (
              <li key={report.name}>
                <span className={styles.report}>
                  <Link to={`/reports/${report.name}`}>{report.title}</Link>{' '}
                  <span className={styles.quiet}>{words.firstSentence(report.description)}</span>
                </span>
                <Button
                  kind="quiet"
                  label={words.fileOf(words.excel, report.title)}
                  onPress={() => void saveReport(report, 'xlsx', {})}
                >
                  {words.excel}
                </Button>
              </li>
            ))}
          </Rows>
        </Region>
      ))}
    </Page>
  )
}
