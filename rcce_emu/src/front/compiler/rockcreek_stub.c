/* SPDX-License-Identifier: Apache-2.0 */
/* The only member of the archives libRCCE_*.a: the library itself is librcce.so, and rccecc takes the variant
 * from the archive's name. */
static const char purpose[] __attribute__((used)) = "linked by rccecc only";
