// The contents page of the API, in the order of the specification: which file has the endpoints of which path.

import type { Endpoint } from './access/endpoint.ts'
import { attention } from './attention/attention.ts'
import { activityTypes } from './billing/activity-types.ts'
import { rateCardAdjustment } from './billing/back-tests/adjust.ts'
import { rateCardBackTestDifferences } from './billing/back-tests/differences.ts'
import { rateCardBackTests } from './billing/back-tests/rate-card-back-tests.ts'
import { adhocCharges } from './billing/charges/adhoc.ts'
import { charges } from './billing/charges/charges.ts'
import { chargeExplanation } from './billing/charges/explanation.ts'
import { chargeProof } from './billing/charges/proof.ts'
import { fafProfiles } from './billing/faf-profiles/faf-profiles.ts'
import { fafProfileRates } from './billing/faf-profiles/rates.ts'
import { findLocalities } from './billing/localities/find.ts'
import { localities } from './billing/localities/localities.ts'
import { rateCardTest } from './billing/rate-card-test.ts'
import { rateCardDifferences } from './billing/rate-cards/differences.ts'
import { rateCardInForce } from './billing/rate-cards/in-force.ts'
import { rateCards } from './billing/rate-cards/rate-cards.ts'
import { rateCardVersionStatus } from './billing/rate-cards/version-status.ts'
import { rateCardVersions } from './billing/rate-cards/versions.ts'
import { billedPartners } from './billing/runs/billed-partners.ts'
import { billingRuns } from './billing/runs/billing-runs.ts'
import { organisationBillingRule } from './billing/runs/organisation-billing-rule.ts'
import { partnerBillingRule } from './billing/runs/partner-billing-rule.ts'
import { retryBillingRun } from './billing/runs/retry.ts'
import { scheduleTransactionProof } from './billing/schedule-transactions/proof.ts'
import { scheduleTransactions } from './billing/schedule-transactions/schedule-transactions.ts'
import { scheduleTransactionStatus } from './billing/schedule-transactions/status.ts'
import { scheduleExport } from './billing/schedules/export.ts'
import { markScheduleExported } from './billing/schedules/exported.ts'
import { scheduleProof } from './billing/schedules/proof.ts'
import { schedules } from './billing/schedules/schedules.ts'
import { scheduleStatus } from './billing/schedules/status.ts'
import { scheduleMembers } from './billing/schedules/transactions.ts'
import { scheduleTransactionsCsv } from './billing/schedules/transactions-csv.ts'
import { triggerScheduleAction } from './billing/schedules/trigger-action.ts'
import { storagePreview } from './billing/storage/preview.ts'
import { bulkConsignments } from './bulk/bulk.ts'
import { importCauses } from './consignment-imports/causes.ts'
import { checkExists } from './consignment-imports/check-exists.ts'
import { consignmentImports } from './consignment-imports/consignment-imports.ts'
import { importsFromCsv } from './consignment-imports/csv.ts'
import { importsCsvTemplate } from './consignment-imports/csv-template.ts'
import { consignmentProducts } from './consignment-imports/products.ts'
import { reconcileImport } from './consignment-imports/reconcile.ts'
import { reconcileManyImports } from './consignment-imports/reconcile-many.ts'
import { closeConsignments } from './consignment-status/close.ts'
import { reopenConsignment } from './consignment-status/reopen.ts'
import { consignmentStatus } from './consignment-status/status.ts'
import { voidConsignment } from './consignment-status/void.ts'
import { connectionResult } from './consignments/connection-result.ts'
import { consignments } from './consignments/consignments.ts'
import { consumables } from './consignments/consumables.ts'
import { consignmentContainer } from './consignments/container.ts'
import { consignmentCounts } from './consignments/counts.ts'
import { consignmentDetail } from './consignments/detail/consignment-detail.ts'
import { ediDetail } from './consignments/edi-detail.ts'
import { ediStatuses } from './consignments/edi-statuses.ts'
import { consignmentGeneral } from './consignments/general.ts'
import { consignmentHistory } from './consignments/history.ts'
import { noteAttachments } from './consignments/note-attachments.ts'
import { notes } from './consignments/notes.ts'
import { pods } from './consignments/pods.ts'
import { consignmentPriority } from './consignments/priority.ts'
import { productInformation } from './consignments/product-information.ts'
import { consignmentRoute } from './consignments/route.ts'
import { serviceTypes } from './consignments/service-types.ts'
import { tasks } from './consignments/tasks.ts'
import { tracking } from './consignments/tracking.ts'
import { trackingEvents } from './consignments/tracking-event.ts'
import { triggerConsignmentAction } from './consignments/trigger-action.ts'
import { customApps } from './custom-apps/custom-apps.ts'
import { rotateSecret } from './custom-apps/rotate-secret.ts'
import { triggerAppAction } from './custom-apps/trigger-action.ts'
import { dashboard } from './dashboard/dashboard.ts'
import { events } from './events/events.ts'
import { allocateConsignment } from './floor/allocate.ts'
import { allocationPreview } from './floor/allocation-preview.ts'
import { consignmentAllocations } from './floor/allocations.ts'
import { allocateConsignments } from './floor/inventory-allocate.ts'
import { pickConsignment } from './floor/pick.ts'
import { receiveConsignment } from './floor/receive.ts'
import { receiveSerials } from './floor/receive-serials.ts'
import { releaseConsignment } from './floor/release.ts'
import { consignmentReturns } from './floor/returns.ts'
import { stockShortages } from './floor/shortages.ts'
import { stageConsignment } from './floor/stage.ts'
import { unpickConsignment } from './floor/unpick.ts'
import { unreceiveConsignment } from './floor/unreceive.ts'
import { jobs } from './jobs/jobs.ts'
import { confirmReplenishment } from './jobs/replenishment/confirm.ts'
import { replenishmentLines } from './jobs/replenishment/lines.ts'
import { replenishment } from './jobs/replenishment/replenishment.ts'
import { replenishmentStatus } from './jobs/replenishment/status.ts'
import { confirmWavePick } from './jobs/wave-pick/confirm.ts'
import { wavePickConsignments } from './jobs/wave-pick/consignments.ts'
import { wavePickPicks } from './jobs/wave-pick/picks.ts'
import { wavePickStatus } from './jobs/wave-pick/status.ts'
import { triggerWavePickAction } from './jobs/wave-pick/trigger-action.ts'
import { wavePick } from './jobs/wave-pick/wave-pick.ts'
import { endMySessions } from './me/end-sessions.ts'
import { me } from './me/me.ts'
import { myPassword } from './me/password.ts'
import { preferences } from './me/preferences.ts'
import { organisationHistory } from './organisations/history.ts'
import { organisationLogo } from './organisations/logo.ts'
import { organisations } from './organisations/organisations.ts'
import { consignmentDetailPdf } from './paper/documents/consignments/detail-pdf.ts'
import { dgDeclarationPdf } from './paper/documents/consignments/dg-declaration-pdf.ts'
import { dispatchConfirmationPdf } from './paper/documents/consignments/dispatch-confirmation-pdf.ts'
import { pickingListPdf } from './paper/documents/consignments/picking-list-pdf.ts'
import { receiptConfirmationPdf } from './paper/documents/consignments/receipt-confirmation-pdf.ts'
import { wavePickingListPdf } from './paper/documents/jobs/wave-pick/picking-list-pdf.ts'
import { printTestPage } from './paper/documents/printers/test-page.ts'
import { statementPdf } from './paper/documents/schedules/statement-pdf.ts'
import { locationLabels } from './paper/labels/location-label.ts'
import { logisticUnitLabels } from './paper/labels/logistic-unit-label.ts'
import { palletLabels } from './paper/labels/pallet-labels.ts'
import { productLabels } from './paper/labels/product-label.ts'
import { cancelPrintJob } from './paper/print-jobs/cancel.ts'
import { printJobContent } from './paper/print-jobs/content.ts'
import { printJobs } from './paper/print-jobs/print-jobs.ts'
import { retryPrintJob } from './paper/print-jobs/retry.ts'
import { claimPrintJobs } from './paper/printers/bridges/claim.ts'
import { bridgeJobContent } from './paper/printers/bridges/job-content.ts'
import { printerBridges } from './paper/printers/bridges/printer-bridges.ts'
import { announcePrinters } from './paper/printers/bridges/printers.ts'
import { printJobProgress } from './paper/printers/bridges/progress.ts'
import { printerOptions } from './paper/printers/printer-options.ts'
import { printers } from './paper/printers/printers.ts'
import { productsOfClients } from './partners/all-products.ts'
import { codeAliases } from './partners/code-aliases.ts'
import { convertUnits } from './partners/convert-units.ts'
import { logoThumbnail } from './partners/logo-thumbnail.ts'
import { logos } from './partners/logos.ts'
import { partners } from './partners/partners.ts'
import { products } from './partners/products.ts'
import type { OutgoingHttp } from './platform/outgoing/outgoing-http.ts'
import type { SecretBox } from './platform/secret-box.ts'
import { consumableTypes } from './reference-data/consumable-types.ts'
import { costCentres } from './reference-data/cost-centres.ts'
import { dgHazardCategories } from './reference-data/dg-hazard-categories.ts'
import { dgHazardClasses } from './reference-data/dg-hazard-classes.ts'
import { packageTypes } from './reference-data/package-types.ts'
import { productAttributes } from './reference-data/product-attributes.ts'
import { productGroups } from './reference-data/product-groups.ts'
import { revenueAccounts } from './reference-data/revenue-accounts.ts'
import { serviceTypeCatalogue } from './reference-data/service-types.ts'
import { shippingPorts } from './reference-data/shipping-ports.ts'
import { taskTypes } from './reference-data/task-types.ts'
import { taxRates } from './reference-data/tax-rates.ts'
import { unitTypes } from './reference-data/unit-types.ts'
import { reports } from './reports/reports.ts'
import { search } from './search/search.ts'
import { adjustStock } from './stock/commands/adjust.ts'
import { adjustStockAttributes } from './stock/commands/adjust-attributes.ts'
import { openingBalances } from './stock/commands/opening-balances.ts'
import { openingBalancesCsv } from './stock/commands/opening-balances-csv.ts'
import { openingBalancesCsvTemplate } from './stock/commands/opening-balances-csv-template.ts'
import { putAwayStock } from './stock/commands/put-away.ts'
import { replayStockOperations } from './stock/commands/replay.ts'
import { transferStock } from './stock/commands/transfer.ts'
import { approveStockCount } from './stock/counts/approve.ts'
import { countStockCountLines } from './stock/counts/count.ts'
import { stockCountLines } from './stock/counts/lines.ts'
import { recountStockCountLines } from './stock/counts/recount.ts'
import { stockCountStatus } from './stock/counts/status.ts'
import { stockCounts } from './stock/counts/stock-counts.ts'
import { inventoryHolds } from './stock/holds/holds.ts'
import { releaseHold } from './stock/holds/release.ts'
import { inventory } from './stock/inventory/inventory.ts'
import { adjustItemAttributes } from './stock/inventory/items/adjust-attributes.ts'
import { inventoryItems } from './stock/inventory/items/inventory-items.ts'
import { inventoryItemTransactions } from './stock/inventory/items/transactions.ts'
import { stockRowSerials } from './stock/inventory/items.ts'
import { inventoryTransactions } from './stock/inventory/transactions.ts'
import { logisticUnits } from './stock/logistic-units/logistic-units.ts'
import { scanCode } from './stock/scan.ts'
import { identity } from './users/identity.ts'
import { userInvitation } from './users/invitation.ts'
import { userPassword } from './users/user-password.ts'
import { users } from './users/users.ts'
import { locations } from './warehouses/locations/locations.ts'
import { manyLocations } from './warehouses/locations/many.ts'
import { warehouses } from './warehouses/warehouses.ts'
import { zones } from './warehouses/zones.ts'
import { webhookDeliveries } from './webhook-subscriptions/deliveries.ts'
import { replayDeliveries } from './webhook-subscriptions/replay.ts'
import { webhookSubscriptions } from './webhook-subscriptions/webhook-subscriptions.ts'

/** What endpoints need from their process, in addition to the database. */
export interface EndpointOptions {
  readonly secretBox: SecretBox
  readonly outgoing: OutgoingHttp
  /** where people sign in; by default that of a service with default settings */
  readonly authUrl?: string | undefined
  /** the version of the portal; absent if it has not been built */
  readonly portalBuild?: string | undefined
  /** whether this is the service of `./waybill demo` */
  readonly isDemo?: boolean
}

/** All endpoints of the API. The path on each line is what its endpoints have in common. */
export const endpointsOf = (options: EndpointOptions): readonly Endpoint[] => [
  // 4.1 identity
  ...identity, // /v1/identity
  ...me(options), // /v1/me
  ...endMySessions, // /v1/me/end-sessions
  ...myPassword, // /v1/me/password
  ...preferences, // /v1/me/preferences
  ...attention, // /v1/attention
  ...dashboard, // /v1/dashboard
  ...search, // /v1/search
  // 4.2 consignments and imports
  ...consignmentImports, // /v1/consignment-imports
  ...importsFromCsv, // /v1/consignment-imports/csv
  ...importsCsvTemplate, // /v1/consignment-imports/csv-template
  ...importCauses, // /v1/consignment-imports/causes
  ...reconcileImport(options), // /v1/consignment-imports/:consignmentImportId/reconcile
  ...reconcileManyImports(options), // /v1/consignment-imports/reconcile-many
  ...checkExists, // /v1/consignments/:consignmentId/check-exists
  ...consignments, // /v1/consignments
  ...consignmentCounts, // /v1/consignments/counts
  ...consignmentDetail, // /v1/consignments/:consignmentId
  ...consignmentProducts, // /v1/consignments/:consignmentId/products
  ...productInformation, // /v1/consignments/:consignmentId/product-information
  ...consignmentStatus, // /v1/consignments/:consignmentId/status
  ...closeConsignments, // /v1/consignments/close
  ...bulkConsignments, // /v1/consignments/bulk
  ...voidConsignment, // /v1/consignments/:consignmentId/void
  ...reopenConsignment, // /v1/consignments/:consignmentId/reopen
  ...consignmentGeneral, // /v1/consignments/:consignmentId/general
  ...consignmentPriority, // /v1/consignments/:consignmentId/priority
  ...consignmentRoute, // /v1/consignments/:consignmentId/route
  ...consignmentContainer, // /v1/consignments/:consignmentId/container
  ...ediDetail, // /v1/consignments/:consignmentId/edi-detail
  ...ediStatuses, // /v1/consignments/:consignmentId/edi-statuses
  ...connectionResult, // /v1/consignments/:consignmentId/connection-result
  ...receiveConsignment, // /v1/consignments/:consignmentId/receive
  ...receiveSerials, // /v1/consignments/:consignmentId/receive/serials
  ...consignmentReturns, // /v1/consignments/:consignmentId/returns
  ...unreceiveConsignment, // /v1/consignments/:consignmentId/unreceive
  ...triggerConsignmentAction, // /v1/consignments/:consignmentId/trigger-action
  ...consignmentHistory, // /v1/consignments/:consignmentId/history
  ...allocateConsignment, // /v1/consignments/:consignmentId/allocate
  ...consignmentAllocations, // /v1/consignments/:consignmentId/allocations
  ...allocationPreview, // /v1/consignments/:consignmentId/allocation-preview
  ...releaseConsignment, // /v1/consignments/:consignmentId/release
  ...pickConsignment, // /v1/consignments/:consignmentId/pick
  ...unpickConsignment, // /v1/consignments/:consignmentId/unpick
  ...stageConsignment, // /v1/consignments/:consignmentId/stage
  ...consignmentDetailPdf, // /v1/consignments/:consignmentId/detail-pdf
  ...pickingListPdf, // /v1/consignments/:consignmentId/picking-list-pdf
  ...dgDeclarationPdf, // /v1/consignments/:consignmentId/dg-declaration-pdf
  ...dispatchConfirmationPdf, // /v1/consignments/:consignmentId/dispatch-confirmation-pdf
  ...receiptConfirmationPdf, // /v1/consignments/:consignmentId/receipt-confirmation-pdf
  ...palletLabels, // /v1/consignments/:consignmentId/pallet-labels
  // 4.3 tracking
  ...tracking, // /v1/consignments/:consignmentId/tracking
  ...trackingEvents, // /v1/consignments/:consignmentId/tracking/:consignmentTrackingId/event
  // 4.4 notes
  ...notes, // /v1/consignments/:consignmentId/notes
  ...noteAttachments, // /v1/consignments/:consignmentId/notes/:consignmentNoteId/attachments/:consignmentNoteAttachmentId
  // 4.5 consumables
  ...consumables, // /v1/consignments/:consignmentId/consumables
  // 4.6 tasks
  ...tasks, // /v1/consignments/:consignmentId/tasks
  // 4.7 service types
  ...serviceTypes, // /v1/consignments/:consignmentId/service-types
  // 4.8 proofs of delivery
  ...pods, // /v1/consignments/:consignmentId/pods
  // 4.9 charges
  ...charges, // /v1/consignments/:consignmentId/charges
  ...adhocCharges, // /v1/consignments/:consignmentId/charges
  ...chargeExplanation, // /v1/consignments/:consignmentId/charges/explanation
  ...chargeProof, // /v1/consignments/:consignmentId/charges/:consignmentChargeId/proof
  // how charges are determined
  ...rateCards, // /v1/rate-cards
  ...rateCardInForce, // /v1/rate-cards/in-force
  ...rateCardTest, // /v1/rate-cards/test
  ...rateCardVersions, // /v1/rate-cards/:rateCardId/versions
  ...rateCardVersionStatus, // /v1/rate-cards/:rateCardId/versions/:rateCardVersionId/status
  ...rateCardDifferences, // /v1/rate-cards/:rateCardId/versions/:rateCardVersionId/differences
  ...rateCardBackTests, // /v1/rate-card-back-tests
  ...rateCardBackTestDifferences, // /v1/rate-card-back-tests/:rateCardBackTestId/differences
  ...rateCardAdjustment, // /v1/rate-card-back-tests/:rateCardBackTestId/adjust
  ...activityTypes, // /v1/activity-types
  ...storagePreview, // /v1/storage-charges/preview
  ...localities, // /v1/localities
  ...findLocalities, // /v1/localities/find
  // 4.10 schedules
  ...schedules, // /v1/schedules
  ...scheduleTransactionsCsv, // /v1/schedules/:partnerScheduleId/transactions/csv
  ...scheduleExport, // /v1/schedules/:partnerScheduleId/export
  ...scheduleMembers, // /v1/schedules/:partnerScheduleId/transactions
  ...scheduleStatus, // /v1/schedules/:partnerScheduleId/status
  ...scheduleProof, // /v1/schedules/:partnerScheduleId/proof
  ...scheduleTransactionProof, // /v1/schedule-transactions/:scheduleTransactionId/proof
  ...markScheduleExported, // /v1/schedules/:partnerScheduleId/exported
  ...triggerScheduleAction, // /v1/schedules/:partnerScheduleId/trigger-action
  ...statementPdf, // /v1/schedules/:partnerScheduleId/statement-pdf
  ...scheduleTransactions, // /v1/schedule-transactions
  ...scheduleTransactionStatus, // /v1/schedule-transactions/:scheduleTransactionId/status
  ...partnerBillingRule, // /v1/partners/:partnerId/billing-rule
  ...organisationBillingRule, // /v1/organisation/billing-rule
  ...billedPartners, // /v1/billed-partners
  ...billingRuns, // /v1/billing-runs
  ...retryBillingRun, // /v1/billing-runs/:billingRunId/retry
  // 4.11 FAF profiles
  ...fafProfiles, // /v1/faf-profiles
  ...fafProfileRates, // /v1/faf-profiles/:fafProfileId/rates
  // 4.12 partners and products
  ...partners, // /v1/partners
  ...codeAliases, // /v1/partners/:partnerId/code-aliases
  ...logos, // /v1/partners/:partnerId/logo
  ...logoThumbnail, // /v1/partners/:partnerId/logo-thumbnail
  ...productsOfClients, // /v1/products
  ...products, // /v1/partners/:partnerId/products
  ...productLabels, // /v1/partners/:partnerId/products/:partnerProductId/label
  ...convertUnits, // /v1/partners/:partnerId/products/convert-units
  // 4.13 warehouses and inventory
  ...warehouses, // /v1/warehouses
  ...zones, // /v1/warehouses/:warehouseId/zones
  ...locations, // /v1/warehouses/:warehouseId/locations
  ...allocateConsignments, // /v1/inventory/allocate
  ...locationLabels, // /v1/warehouses/:warehouseId/locations
  ...manyLocations, // /v1/warehouses/:warehouseId/locations/many
  ...inventoryHolds, // /v1/inventory/holds
  ...releaseHold, // /v1/inventory/holds/:inventoryHoldId/release
  ...transferStock, // /v1/inventory/transfer
  ...adjustStock, // /v1/inventory/adjust
  ...adjustStockAttributes, // /v1/inventory/adjust-attributes
  ...adjustItemAttributes, // /v1/inventory-items/:warehouseProductItemId/adjust-attributes
  ...openingBalances, // /v1/inventory/opening-balances
  ...openingBalancesCsv, // /v1/inventory/opening-balances/csv
  ...openingBalancesCsvTemplate, // /v1/inventory/opening-balances/csv-template
  ...replayStockOperations, // /v1/inventory/replay
  ...logisticUnits, // /v1/logistic-units
  ...logisticUnitLabels, // /v1/logistic-units/:logisticUnitId/label
  ...scanCode, // /v1/scan
  ...inventory, // /v1/inventory
  ...stockRowSerials, // /v1/inventory/:warehouseProductId/items
  ...inventoryTransactions, // /v1/inventory/:warehouseProductId/transactions
  ...stockShortages, // /v1/inventory/shortages
  ...inventoryItems, // /v1/inventory-items
  ...inventoryItemTransactions, // /v1/inventory-items/:warehouseProductItemId/transactions
  ...putAwayStock, // /v1/inventory/:warehouseProductId/put-away
  ...stockCounts, // /v1/stock-counts
  ...stockCountStatus, // /v1/stock-counts/:stockCountId/status
  ...stockCountLines, // /v1/stock-counts/:stockCountId/lines
  ...countStockCountLines, // /v1/stock-counts/:stockCountId/lines/count
  ...recountStockCountLines, // /v1/stock-counts/:stockCountId/lines/recount
  ...approveStockCount, // /v1/stock-counts/:stockCountId/approve
  // 4.14 jobs
  ...jobs, // /v1/jobs
  ...wavePick, // /v1/jobs
  ...wavePickStatus, // /v1/jobs/:jobId/wave-pick/status
  ...triggerWavePickAction, // /v1/jobs/:jobId/wave-pick/trigger-action
  ...wavePickConsignments, // /v1/jobs/:jobId/wave-pick/consignments
  ...wavePickPicks, // /v1/jobs/:jobId/wave-pick/picks
  ...confirmWavePick, // /v1/jobs/:jobId/wave-pick/picks/confirm
  ...wavePickingListPdf, // /v1/jobs/:jobId/wave-pick/picking-list-pdf
  ...replenishment, // /v1/jobs
  ...replenishmentStatus, // /v1/jobs/:jobId/replenishment/status
  ...replenishmentLines, // /v1/jobs/:jobId/replenishment/lines
  ...confirmReplenishment, // /v1/jobs/:jobId/replenishment/confirm
  // 4.15 reference data: what ships with the service, and what each organisation sets up
  ...dgHazardClasses, // /v1/dg-hazard-classes
  ...dgHazardCategories, // /v1/dg-hazard-classes/:dgHazardClassId/dg-hazard-categories
  ...shippingPorts, // /v1/shipping-ports
  ...taxRates, // /v1/tax-rates
  ...serviceTypeCatalogue, // /v1/service-types
  ...taskTypes, // /v1/task-types
  ...packageTypes, // /v1/package-types
  ...consumableTypes, // /v1/consumable-types
  ...unitTypes, // /v1/unit-types
  ...productGroups, // /v1/product-groups
  ...productAttributes, // /v1/product-attributes
  ...costCentres, // /v1/cost-centres
  ...revenueAccounts, // /v1/revenue-accounts
  ...printerOptions, // /v1/printer-bridges/printer/options
  ...printers, // /v1/printers
  ...printTestPage, // /v1/printers/:printerId/test-page/print
  ...printerBridges(options), // /v1/printer-bridges
  ...announcePrinters, // /v1/printer-bridges/:printerBridgeId/printers
  ...claimPrintJobs, // /v1/printer-bridges/:printerBridgeId/claim
  ...bridgeJobContent, // /v1/printer-bridges/:printerBridgeId/jobs/:printJobId/content
  ...printJobProgress, // /v1/printer-bridges/:printerBridgeId/jobs/:printJobId/progress
  ...printJobs, // /v1/print-jobs
  ...printJobContent, // /v1/print-jobs/:printJobId/content
  ...retryPrintJob, // /v1/print-jobs/:printJobId/retry
  ...cancelPrintJob, // /v1/print-jobs/:printJobId/cancel
  // 4.16 reports
  ...reports, // /v1/reports
  // 4.17 webhook subscriptions
  ...webhookSubscriptions(options), // /v1/webhook-subscriptions
  ...webhookDeliveries(options), // /v1/webhook-subscriptions/:webhookSubscriptionId/deliveries
  ...replayDeliveries, // /v1/webhook-subscriptions/:webhookSubscriptionId
  ...events, // /v1/events
  // the organisation, its people and its apps
  ...organisations, // /v1/organisation
  ...organisationLogo, // /v1/organisation/logo
  ...organisationHistory, // /v1/organisation/history
  ...users, // /v1/users
  ...userInvitation(options), // /v1/users/:userId/invitation
  ...userPassword, // /v1/users/:userId/password
  ...customApps(options), // /v1/custom-apps
  ...rotateSecret(options), // /v1/custom-apps/:customAppId/rotate-secret
  ...triggerAppAction, // /v1/custom-apps/:customAppId/trigger-action
]
