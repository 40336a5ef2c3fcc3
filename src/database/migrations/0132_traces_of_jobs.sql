-- W3C trace context of the call that made the job, as headers carry it, so that its run belongs to the same trace; null where nothing is traced.
alter table jobs add column trace jsonb;
