import { describe, expect, it } from "vitest";
import { addressOfWork, identifiersOfAddress, ofDoi, parseArxivId, parseDoi } from "./identifiers.ts";

describe("identifiers", () => {
  it.each([
    ["10.1145/3292500.3330701", "10.1145/3292500.3330701"],
    ["https://doi.org/10.1000/ABC", "10.1000/abc"],
    ["http://dx.doi.org/10.1000/abc.", "10.1000/abc"],
    ["doi:10.1000/abc", "10.1000/abc"],
    ["DOI: 10.1000/a(b)c;d", "10.1000/a(b)c;d"],
    ["see 10.1000/abc", null],
    ["10.1000/abc and 10.1000/def", null],
    ["10.12/abc", null],
    ["https://x.dev/10.1000/abc", null],
    [`10.1000/${"x".repeat(300)}`, null],
  ])("the DOI in %s is %s", (text, doi) => {
    expect(parseDoi(text)).toBe(doi);
  });

  it.each([
    ["2401.01234", "2401.01234"],
    ["arXiv:2401.01234v3", "2401.01234"],
    ["hep-th/9901001v1", "hep-th/9901001"],
    ["math.GT/0309136", "math.gt/0309136"],
    ["2401.01234 and more", null],
    ["24.01", null],
  ])("the arXiv id in %s is %s", (text, id) => {
    expect(parseArxivId(text)).toBe(id);
  });

  it.each([
    ["https://doi.org/10.1000/ABC", { doi: "10.1000/abc" }],
    ["https://doi.org/10.48550/arXiv.2401.01234", { arxiv: "2401.01234" }],
    ["https://export.arxiv.org/pdf/2401.01234v2.pdf", { arxiv: "2401.01234" }],
    ["https://ar5iv.labs.arxiv.org/html/2401.01234", { arxiv: "2401.01234" }],
    ["https://arxiv.org/list/cs.CL/recent", {}],
    ["https://arxiv.org.evil.dev/abs/2401.01234", {}],
    ["https://www.alphaxiv.org/abs/2401.01234", {}],
    ["https://pubmed.ncbi.nlm.nih.gov/12345678/", { pmid: "12345678" }],
    ["https://pubmed.ncbi.nlm.nih.gov/?term=12345678", {}],
    ["https://www.ncbi.nlm.nih.gov/pmc/articles/PMC1234567/pdf/a.pdf", { pmcid: "pmc1234567" }],
    ["https://pmc.ncbi.nlm.nih.gov/articles/PMC1234567/", { pmcid: "pmc1234567" }],
    ["https://dl.acm.org/doi/10.1145/3292500.3330701", { doi: "10.1145/3292500.3330701" }],
    ["https://x.wiley.com/doi/full/10.1002/abc?x=1", { doi: "10.1002/abc" }],
    ["https://x.wiley.com/doi/suppl/10.1002/abc", {}],
    ["https://x.wiley.com/doi/10.1002/%E0%A4%A", { doi: "10.1002/%e0%a4%a" }],
  ])("what %s says is %o", (address, identifiers) => {
    expect(identifiersOfAddress(new URL(address))).toEqual(identifiers);
  });

  it("a work is best known by its DOI, then by arXiv; the DOIs of arXiv are its ids", () => {
    expect(addressOfWork({ arxiv: "2401.01234", doi: "10.1000/a#b" })).toBe("https://doi.org/10.1000/a%23b");
    expect(addressOfWork(ofDoi("10.48550/arxiv.2401.01234"))).toBe("https://arxiv.org/abs/2401.01234");
    expect(addressOfWork({ pmid: "1" })).toBeNull();
  });
});
