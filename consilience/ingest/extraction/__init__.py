"""Statements out of text without a model or a key: rules for English and Chinese. Data tables stand beside the code."""

from consilience.ingest.extraction.maker import EXTRACTOR_ID, choose, extract
from consilience.ingest.extraction.names import mentions
from consilience.ingest.extraction.predicates import PredicateInfo, noun_predicate, predicate_info, predicates

__all__ = ["EXTRACTOR_ID", "PredicateInfo", "choose", "extract", "mentions", "noun_predicate", "predicate_info", "predicates"]
