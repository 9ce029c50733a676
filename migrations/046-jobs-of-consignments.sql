-- The jobs of many consignments are read from the index alone: the list of open work asks for them.
create index job_consignment_jobs_of_consignment on job_consignment (organisation_id, consignment_id, job_id);
drop index job_consignment_of_consignment;
