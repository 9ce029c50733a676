-- Whether a credit was void at some time: what it took was given back meanwhile, so that what was left of the
-- transaction when others were entered does not follow from their order.
alter table schedule_transaction add column was_voided boolean not null default false;
