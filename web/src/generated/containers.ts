// Written by `UPDATE=1 cargo test -p brickwork-emit`. Do not edit.
import type { ContainerData } from "../data.js";

const data: ContainerData = {
    bc1: {
        "linear opaque": {
            dds: [
                542327876, 124, 528391, "height", "width", "levelBytes", 0, 1, 0, 0, 0, 0, 0, 0, 0,
                0, 0, 0, 0, 32, 4, 808540228, 0, 0, 0, 0, 0, 4096, 0, 0, 0, 0, 71, 3, 0, 1, 3,
            ],
            ddsWithMips: [
                542327876, 124, 659463, "height", "width", "levelBytes", 0, "mipLevels", 0, 0, 0, 0,
                0, 0, 0, 0, 0, 0, 0, 32, 4, 808540228, 0, 0, 0, 0, 0, 4198408, 0, 0, 0, 0, 71, 3, 0,
                1, 3,
            ],
            vkFormat: 131,
            descriptor: "LAAAAAAAAAACACgAgAEBAAMDAAAIAAAAAAAAAAAAPwAAAAAAAAAAAP////8=",
            keyValues: "EgAAAEtUWG9yaWVudGF0aW9uAHJkAAAAGgAAAEtUWHdyaXRlcgBCcmlja3dvcmsgMC4xLjAAAAA=",
        },
        "linear straight": {
            dds: [
                542327876, 124, 528391, "height", "width", "levelBytes", 0, 1, 0, 0, 0, 0, 0, 0, 0,
                0, 0, 0, 0, 32, 4, 808540228, 0, 0, 0, 0, 0, 4096, 0, 0, 0, 0, 71, 3, 0, 1, 1,
            ],
            ddsWithMips: [
                542327876, 124, 659463, "height", "width", "levelBytes", 0, "mipLevels", 0, 0, 0, 0,
                0, 0, 0, 0, 0, 0, 0, 32, 4, 808540228, 0, 0, 0, 0, 0, 4198408, 0, 0, 0, 0, 71, 3, 0,
                1, 1,
            ],
            vkFormat: 133,
            descriptor: "LAAAAAAAAAACACgAgAEBAAMDAAAIAAAAAAAAAAAAPwEAAAAAAAAAAP////8=",
            keyValues: "EgAAAEtUWG9yaWVudGF0aW9uAHJkAAAAGgAAAEtUWHdyaXRlcgBCcmlja3dvcmsgMC4xLjAAAAA=",
        },
        "linear premultiplied": {
            dds: [
                542327876, 124, 528391, "height", "width", "levelBytes", 0, 1, 0, 0, 0, 0, 0, 0, 0,
                0, 0, 0, 0, 32, 4, 808540228, 0, 0, 0, 0, 0, 4096, 0, 0, 0, 0, 71, 3, 0, 1, 2,
            ],
            ddsWithMips: [
                542327876, 124, 659463, "height", "width", "levelBytes", 0, "mipLevels", 0, 0, 0, 0,
                0, 0, 0, 0, 0, 0, 0, 32, 4, 808540228, 0, 0, 0, 0, 0, 4198408, 0, 0, 0, 0, 71, 3, 0,
                1, 2,
            ],
            vkFormat: 133,
            descriptor: "LAAAAAAAAAACACgAgAEBAQMDAAAIAAAAAAAAAAAAPwEAAAAAAAAAAP////8=",
            keyValues: "EgAAAEtUWG9yaWVudGF0aW9uAHJkAAAAGgAAAEtUWHdyaXRlcgBCcmlja3dvcmsgMC4xLjAAAAA=",
        },
        "srgb opaque": {
            dds: [
                542327876, 124, 528391, "height", "width", "levelBytes", 0, 1, 0, 0, 0, 0, 0, 0, 0,
                0, 0, 0, 0, 32, 4, 808540228, 0, 0, 0, 0, 0, 4096, 0, 0, 0, 0, 72, 3, 0, 1, 3,
            ],
            ddsWithMips: [
                542327876, 124, 659463, "height", "width", "levelBytes", 0, "mipLevels", 0, 0, 0, 0,
                0, 0, 0, 0, 0, 0, 0, 32, 4, 808540228, 0, 0, 0, 0, 0, 4198408, 0, 0, 0, 0, 72, 3, 0,
                1, 3,
            ],
            vkFormat: 132,
            descriptor: "LAAAAAAAAAACACgAgAECAAMDAAAIAAAAAAAAAAAAPwAAAAAAAAAAAP////8=",
            keyValues: "EgAAAEtUWG9yaWVudGF0aW9uAHJkAAAAGgAAAEtUWHdyaXRlcgBCcmlja3dvcmsgMC4xLjAAAAA=",
        },
        "srgb straight": {
            dds: [
                542327876, 124, 528391, "height", "width", "levelBytes", 0, 1, 0, 0, 0, 0, 0, 0, 0,
                0, 0, 0, 0, 32, 4, 808540228, 0, 0, 0, 0, 0, 4096, 0, 0, 0, 0, 72, 3, 0, 1, 1,
            ],
            ddsWithMips: [
                542327876, 124, 659463, "height", "width", "levelBytes", 0, "mipLevels", 0, 0, 0, 0,
                0, 0, 0, 0, 0, 0, 0, 32, 4, 808540228, 0, 0, 0, 0, 0, 4198408, 0, 0, 0, 0, 72, 3, 0,
                1, 1,
            ],
            vkFormat: 134,
            descriptor: "LAAAAAAAAAACACgAgAECAAMDAAAIAAAAAAAAAAAAPwEAAAAAAAAAAP////8=",
            keyValues: "EgAAAEtUWG9yaWVudGF0aW9uAHJkAAAAGgAAAEtUWHdyaXRlcgBCcmlja3dvcmsgMC4xLjAAAAA=",
        },
        "srgb premultiplied": {
            dds: [
                542327876, 124, 528391, "height", "width", "levelBytes", 0, 1, 0, 0, 0, 0, 0, 0, 0,
                0, 0, 0, 0, 32, 4, 808540228, 0, 0, 0, 0, 0, 4096, 0, 0, 0, 0, 72, 3, 0, 1, 2,
            ],
            ddsWithMips: [
                542327876, 124, 659463, "height", "width", "levelBytes", 0, "mipLevels", 0, 0, 0, 0,
                0, 0, 0, 0, 0, 0, 0, 32, 4, 808540228, 0, 0, 0, 0, 0, 4198408, 0, 0, 0, 0, 72, 3, 0,
                1, 2,
            ],
            vkFormat: 134,
            descriptor: "LAAAAAAAAAACACgAgAECAQMDAAAIAAAAAAAAAAAAPwEAAAAAAAAAAP////8=",
            keyValues: "EgAAAEtUWG9yaWVudGF0aW9uAHJkAAAAGgAAAEtUWHdyaXRlcgBCcmlja3dvcmsgMC4xLjAAAAA=",
        },
    },
    bc2: {
        "linear opaque": {
            dds: [
                542327876, 124, 528391, "height", "width", "levelBytes", 0, 1, 0, 0, 0, 0, 0, 0, 0,
                0, 0, 0, 0, 32, 4, 808540228, 0, 0, 0, 0, 0, 4096, 0, 0, 0, 0, 74, 3, 0, 1, 3,
            ],
            ddsWithMips: [
                542327876, 124, 659463, "height", "width", "levelBytes", 0, "mipLevels", 0, 0, 0, 0,
                0, 0, 0, 0, 0, 0, 0, 32, 4, 808540228, 0, 0, 0, 0, 0, 4198408, 0, 0, 0, 0, 74, 3, 0,
                1, 3,
            ],
            vkFormat: 135,
            descriptor: "PAAAAAAAAAACADgAgQEBAAMDAAAQAAAAAAAAAAAAPw8AAAAAAAAAAP////9AAD8AAAAAAAAAAAD/////",
            keyValues: "EgAAAEtUWG9yaWVudGF0aW9uAHJkAAAAGgAAAEtUWHdyaXRlcgBCcmlja3dvcmsgMC4xLjAAAAA=",
        },
        "linear straight": {
            dds: [
                542327876, 124, 528391, "height", "width", "levelBytes", 0, 1, 0, 0, 0, 0, 0, 0, 0,
                0, 0, 0, 0, 32, 4, 808540228, 0, 0, 0, 0, 0, 4096, 0, 0, 0, 0, 74, 3, 0, 1, 1,
            ],
            ddsWithMips: [
                542327876, 124, 659463, "height", "width", "levelBytes", 0, "mipLevels", 0, 0, 0, 0,
                0, 0, 0, 0, 0, 0, 0, 32, 4, 808540228, 0, 0, 0, 0, 0, 4198408, 0, 0, 0, 0, 74, 3, 0,
                1, 1,
            ],
            vkFormat: 135,
            descriptor: "PAAAAAAAAAACADgAgQEBAAMDAAAQAAAAAAAAAAAAPw8AAAAAAAAAAP////9AAD8AAAAAAAAAAAD/////",
            keyValues: "EgAAAEtUWG9yaWVudGF0aW9uAHJkAAAAGgAAAEtUWHdyaXRlcgBCcmlja3dvcmsgMC4xLjAAAAA=",
        },
        "linear premultiplied": {
            dds: [
                542327876, 124, 528391, "height", "width", "levelBytes", 0, 1, 0, 0, 0, 0, 0, 0, 0,
                0, 0, 0, 0, 32, 4, 808540228, 0, 0, 0, 0, 0, 4096, 0, 0, 0, 0, 74, 3, 0, 1, 2,
            ],
            ddsWithMips: [
                542327876, 124, 659463, "height", "width", "levelBytes", 0, "mipLevels", 0, 0, 0, 0,
                0, 0, 0, 0, 0, 0, 0, 32, 4, 808540228, 0, 0, 0, 0, 0, 4198408, 0, 0, 0, 0, 74, 3, 0,
                1, 2,
            ],
            vkFormat: 135,
            descriptor: "PAAAAAAAAAACADgAgQEBAQMDAAAQAAAAAAAAAAAAPw8AAAAAAAAAAP////9AAD8AAAAAAAAAAAD/////",
            keyValues: "EgAAAEtUWG9yaWVudGF0aW9uAHJkAAAAGgAAAEtUWHdyaXRlcgBCcmlja3dvcmsgMC4xLjAAAAA=",
        },
        "srgb opaque": {
            dds: [
                542327876, 124, 528391, "height", "width", "levelBytes", 0, 1, 0, 0, 0, 0, 0, 0, 0,
                0, 0, 0, 0, 32, 4, 808540228, 0, 0, 0, 0, 0, 4096, 0, 0, 0, 0, 75, 3, 0, 1, 3,
            ],
            ddsWithMips: [
                542327876, 124, 659463, "height", "width", "levelBytes", 0, "mipLevels", 0, 0, 0, 0,
                0, 0, 0, 0, 0, 0, 0, 32, 4, 808540228, 0, 0, 0, 0, 0, 4198408, 0, 0, 0, 0, 75, 3, 0,
                1, 3,
            ],
            vkFormat: 136,
            descriptor: "PAAAAAAAAAACADgAgQECAAMDAAAQAAAAAAAAAAAAPx8AAAAAAAAAAP////9AAD8AAAAAAAAAAAD/////",
            keyValues: "EgAAAEtUWG9yaWVudGF0aW9uAHJkAAAAGgAAAEtUWHdyaXRlcgBCcmlja3dvcmsgMC4xLjAAAAA=",
        },
        "srgb straight": {
            dds: [
                542327876, 124, 528391, "height", "width", "levelBytes", 0, 1, 0, 0, 0, 0, 0, 0, 0,
                0, 0, 0, 0, 32, 4, 808540228, 0, 0, 0, 0, 0, 4096, 0, 0, 0, 0, 75, 3, 0, 1, 1,
            ],
            ddsWithMips: [
                542327876, 124, 659463, "height", "width", "levelBytes", 0, "mipLevels", 0, 0, 0, 0,
                0, 0, 0, 0, 0, 0, 0, 32, 4, 808540228, 0, 0, 0, 0, 0, 4198408, 0, 0, 0, 0, 75, 3, 0,
                1, 1,
            ],
            vkFormat: 136,
            descriptor: "PAAAAAAAAAACADgAgQECAAMDAAAQAAAAAAAAAAAAPx8AAAAAAAAAAP////9AAD8AAAAAAAAAAAD/////",
            keyValues: "EgAAAEtUWG9yaWVudGF0aW9uAHJkAAAAGgAAAEtUWHdyaXRlcgBCcmlja3dvcmsgMC4xLjAAAAA=",
        },
        "srgb premultiplied": {
            dds: [
                542327876, 124, 528391, "height", "width", "levelBytes", 0, 1, 0, 0, 0, 0, 0, 0, 0,
                0, 0, 0, 0, 32, 4, 808540228, 0, 0, 0, 0, 0, 4096, 0, 0, 0, 0, 75, 3, 0, 1, 2,
            ],
            ddsWithMips: [
                542327876, 124, 659463, "height", "width", "levelBytes", 0, "mipLevels", 0, 0, 0, 0,
                0, 0, 0, 0, 0, 0, 0, 32, 4, 808540228, 0, 0, 0, 0, 0, 4198408, 0, 0, 0, 0, 75, 3, 0,
                1, 2,
            ],
            vkFormat: 136,
            descriptor: "PAAAAAAAAAACADgAgQECAQMDAAAQAAAAAAAAAAAAPx8AAAAAAAAAAP////9AAD8AAAAAAAAAAAD/////",
            keyValues: "EgAAAEtUWG9yaWVudGF0aW9uAHJkAAAAGgAAAEtUWHdyaXRlcgBCcmlja3dvcmsgMC4xLjAAAAA=",
        },
    },
    bc3: {
        "linear opaque": {
            dds: [
                542327876, 124, 528391, "height", "width", "levelBytes", 0, 1, 0, 0, 0, 0, 0, 0, 0,
                0, 0, 0, 0, 32, 4, 808540228, 0, 0, 0, 0, 0, 4096, 0, 0, 0, 0, 77, 3, 0, 1, 3,
            ],
            ddsWithMips: [
                542327876, 124, 659463, "height", "width", "levelBytes", 0, "mipLevels", 0, 0, 0, 0,
                0, 0, 0, 0, 0, 0, 0, 32, 4, 808540228, 0, 0, 0, 0, 0, 4198408, 0, 0, 0, 0, 77, 3, 0,
                1, 3,
            ],
            vkFormat: 137,
            descriptor: "PAAAAAAAAAACADgAggEBAAMDAAAQAAAAAAAAAAAAPw8AAAAAAAAAAP////9AAD8AAAAAAAAAAAD/////",
            keyValues: "EgAAAEtUWG9yaWVudGF0aW9uAHJkAAAAGgAAAEtUWHdyaXRlcgBCcmlja3dvcmsgMC4xLjAAAAA=",
        },
        "linear straight": {
            dds: [
                542327876, 124, 528391, "height", "width", "levelBytes", 0, 1, 0, 0, 0, 0, 0, 0, 0,
                0, 0, 0, 0, 32, 4, 808540228, 0, 0, 0, 0, 0, 4096, 0, 0, 0, 0, 77, 3, 0, 1, 1,
            ],
            ddsWithMips: [
                542327876, 124, 659463, "height", "width", "levelBytes", 0, "mipLevels", 0, 0, 0, 0,
                0, 0, 0, 0, 0, 0, 0, 32, 4, 808540228, 0, 0, 0, 0, 0, 4198408, 0, 0, 0, 0, 77, 3, 0,
                1, 1,
            ],
            vkFormat: 137,
            descriptor: "PAAAAAAAAAACADgAggEBAAMDAAAQAAAAAAAAAAAAPw8AAAAAAAAAAP////9AAD8AAAAAAAAAAAD/////",
            keyValues: "EgAAAEtUWG9yaWVudGF0aW9uAHJkAAAAGgAAAEtUWHdyaXRlcgBCcmlja3dvcmsgMC4xLjAAAAA=",
        },
        "linear premultiplied": {
            dds: [
                542327876, 124, 528391, "height", "width", "levelBytes", 0, 1, 0, 0, 0, 0, 0, 0, 0,
                0, 0, 0, 0, 32, 4, 808540228, 0, 0, 0, 0, 0, 4096, 0, 0, 0, 0, 77, 3, 0, 1, 2,
            ],
            ddsWithMips: [
                542327876, 124, 659463, "height", "width", "levelBytes", 0, "mipLevels", 0, 0, 0, 0,
                0, 0, 0, 0, 0, 0, 0, 32, 4, 808540228, 0, 0, 0, 0, 0, 4198408, 0, 0, 0, 0, 77, 3, 0,
                1, 2,
            ],
            vkFormat: 137,
            descriptor: "PAAAAAAAAAACADgAggEBAQMDAAAQAAAAAAAAAAAAPw8AAAAAAAAAAP////9AAD8AAAAAAAAAAAD/////",
            keyValues: "EgAAAEtUWG9yaWVudGF0aW9uAHJkAAAAGgAAAEtUWHdyaXRlcgBCcmlja3dvcmsgMC4xLjAAAAA=",
        },
        "srgb opaque": {
            dds: [
                542327876, 124, 528391, "height", "width", "levelBytes", 0, 1, 0, 0, 0, 0, 0, 0, 0,
                0, 0, 0, 0, 32, 4, 808540228, 0, 0, 0, 0, 0, 4096, 0, 0, 0, 0, 78, 3, 0, 1, 3,
            ],
            ddsWithMips: [
                542327876, 124, 659463, "height", "width", "levelBytes", 0, "mipLevels", 0, 0, 0, 0,
                0, 0, 0, 0, 0, 0, 0, 32, 4, 808540228, 0, 0, 0, 0, 0, 4198408, 0, 0, 0, 0, 78, 3, 0,
                1, 3,
            ],
            vkFormat: 138,
            descriptor: "PAAAAAAAAAACADgAggECAAMDAAAQAAAAAAAAAAAAPx8AAAAAAAAAAP////9AAD8AAAAAAAAAAAD/////",
            keyValues: "EgAAAEtUWG9yaWVudGF0aW9uAHJkAAAAGgAAAEtUWHdyaXRlcgBCcmlja3dvcmsgMC4xLjAAAAA=",
        },
        "srgb straight": {
            dds: [
                542327876, 124, 528391, "height", "width", "levelBytes", 0, 1, 0, 0, 0, 0, 0, 0, 0,
                0, 0, 0, 0, 32, 4, 808540228, 0, 0, 0, 0, 0, 4096, 0, 0, 0, 0, 78, 3, 0, 1, 1,
            ],
            ddsWithMips: [
                542327876, 124, 659463, "height", "width", "levelBytes", 0, "mipLevels", 0, 0, 0, 0,
                0, 0, 0, 0, 0, 0, 0, 32, 4, 808540228, 0, 0, 0, 0, 0, 4198408, 0, 0, 0, 0, 78, 3, 0,
                1, 1,
            ],
            vkFormat: 138,
            descriptor: "PAAAAAAAAAACADgAggECAAMDAAAQAAAAAAAAAAAAPx8AAAAAAAAAAP////9AAD8AAAAAAAAAAAD/////",
            keyValues: "EgAAAEtUWG9yaWVudGF0aW9uAHJkAAAAGgAAAEtUWHdyaXRlcgBCcmlja3dvcmsgMC4xLjAAAAA=",
        },
        "srgb premultiplied": {
            dds: [
                542327876, 124, 528391, "height", "width", "levelBytes", 0, 1, 0, 0, 0, 0, 0, 0, 0,
                0, 0, 0, 0, 32, 4, 808540228, 0, 0, 0, 0, 0, 4096, 0, 0, 0, 0, 78, 3, 0, 1, 2,
            ],
            ddsWithMips: [
                542327876, 124, 659463, "height", "width", "levelBytes", 0, "mipLevels", 0, 0, 0, 0,
                0, 0, 0, 0, 0, 0, 0, 32, 4, 808540228, 0, 0, 0, 0, 0, 4198408, 0, 0, 0, 0, 78, 3, 0,
                1, 2,
            ],
            vkFormat: 138,
            descriptor: "PAAAAAAAAAACADgAggECAQMDAAAQAAAAAAAAAAAAPx8AAAAAAAAAAP////9AAD8AAAAAAAAAAAD/////",
            keyValues: "EgAAAEtUWG9yaWVudGF0aW9uAHJkAAAAGgAAAEtUWHdyaXRlcgBCcmlja3dvcmsgMC4xLjAAAAA=",
        },
    },
    bc4: {
        "linear opaque": {
            dds: [
                542327876, 124, 528391, "height", "width", "levelBytes", 0, 1, 0, 0, 0, 0, 0, 0, 0,
                0, 0, 0, 0, 32, 4, 808540228, 0, 0, 0, 0, 0, 4096, 0, 0, 0, 0, 80, 3, 0, 1, 3,
            ],
            ddsWithMips: [
                542327876, 124, 659463, "height", "width", "levelBytes", 0, "mipLevels", 0, 0, 0, 0,
                0, 0, 0, 0, 0, 0, 0, 32, 4, 808540228, 0, 0, 0, 0, 0, 4198408, 0, 0, 0, 0, 80, 3, 0,
                1, 3,
            ],
            vkFormat: 139,
            descriptor: "LAAAAAAAAAACACgAgwEBAAMDAAAIAAAAAAAAAAAAPwAAAAAAAAAAAP////8=",
            keyValues: "EgAAAEtUWG9yaWVudGF0aW9uAHJkAAAAGgAAAEtUWHdyaXRlcgBCcmlja3dvcmsgMC4xLjAAAAA=",
        },
    },
    bc4s: {
        "linear opaque": {
            dds: [
                542327876, 124, 528391, "height", "width", "levelBytes", 0, 1, 0, 0, 0, 0, 0, 0, 0,
                0, 0, 0, 0, 32, 4, 808540228, 0, 0, 0, 0, 0, 4096, 0, 0, 0, 0, 81, 3, 0, 1, 3,
            ],
            ddsWithMips: [
                542327876, 124, 659463, "height", "width", "levelBytes", 0, "mipLevels", 0, 0, 0, 0,
                0, 0, 0, 0, 0, 0, 0, 32, 4, 808540228, 0, 0, 0, 0, 0, 4198408, 0, 0, 0, 0, 81, 3, 0,
                1, 3,
            ],
            vkFormat: 140,
            descriptor: "LAAAAAAAAAACACgAgwEBAAMDAAAIAAAAAAAAAAAAP0AAAAAAAAAAgP///38=",
            keyValues: "EgAAAEtUWG9yaWVudGF0aW9uAHJkAAAAGgAAAEtUWHdyaXRlcgBCcmlja3dvcmsgMC4xLjAAAAA=",
        },
    },
    bc5: {
        "linear opaque": {
            dds: [
                542327876, 124, 528391, "height", "width", "levelBytes", 0, 1, 0, 0, 0, 0, 0, 0, 0,
                0, 0, 0, 0, 32, 4, 808540228, 0, 0, 0, 0, 0, 4096, 0, 0, 0, 0, 83, 3, 0, 1, 3,
            ],
            ddsWithMips: [
                542327876, 124, 659463, "height", "width", "levelBytes", 0, "mipLevels", 0, 0, 0, 0,
                0, 0, 0, 0, 0, 0, 0, 32, 4, 808540228, 0, 0, 0, 0, 0, 4198408, 0, 0, 0, 0, 83, 3, 0,
                1, 3,
            ],
            vkFormat: 141,
            descriptor: "PAAAAAAAAAACADgAhAEBAAMDAAAQAAAAAAAAAAAAPwAAAAAAAAAAAP////9AAD8BAAAAAAAAAAD/////",
            keyValues: "EgAAAEtUWG9yaWVudGF0aW9uAHJkAAAAGgAAAEtUWHdyaXRlcgBCcmlja3dvcmsgMC4xLjAAAAA=",
        },
    },
    bc5s: {
        "linear opaque": {
            dds: [
                542327876, 124, 528391, "height", "width", "levelBytes", 0, 1, 0, 0, 0, 0, 0, 0, 0,
                0, 0, 0, 0, 32, 4, 808540228, 0, 0, 0, 0, 0, 4096, 0, 0, 0, 0, 84, 3, 0, 1, 3,
            ],
            ddsWithMips: [
                542327876, 124, 659463, "height", "width", "levelBytes", 0, "mipLevels", 0, 0, 0, 0,
                0, 0, 0, 0, 0, 0, 0, 32, 4, 808540228, 0, 0, 0, 0, 0, 4198408, 0, 0, 0, 0, 84, 3, 0,
                1, 3,
            ],
            vkFormat: 142,
            descriptor: "PAAAAAAAAAACADgAhAEBAAMDAAAQAAAAAAAAAAAAP0AAAAAAAAAAgP///39AAD9BAAAAAAAAAID///9/",
            keyValues: "EgAAAEtUWG9yaWVudGF0aW9uAHJkAAAAGgAAAEtUWHdyaXRlcgBCcmlja3dvcmsgMC4xLjAAAAA=",
        },
    },
    bc6h: {
        "linear opaque": {
            dds: [
                542327876, 124, 528391, "height", "width", "levelBytes", 0, 1, 0, 0, 0, 0, 0, 0, 0,
                0, 0, 0, 0, 32, 4, 808540228, 0, 0, 0, 0, 0, 4096, 0, 0, 0, 0, 95, 3, 0, 1, 3,
            ],
            ddsWithMips: [
                542327876, 124, 659463, "height", "width", "levelBytes", 0, "mipLevels", 0, 0, 0, 0,
                0, 0, 0, 0, 0, 0, 0, 32, 4, 808540228, 0, 0, 0, 0, 0, 4198408, 0, 0, 0, 0, 95, 3, 0,
                1, 3,
            ],
            vkFormat: 143,
            descriptor: "LAAAAAAAAAACACgAhQEBAAMDAAAQAAAAAAAAAAAAf4AAAAAAAAAAAAAAgD8=",
            keyValues: "EgAAAEtUWG9yaWVudGF0aW9uAHJkAAAAGgAAAEtUWHdyaXRlcgBCcmlja3dvcmsgMC4xLjAAAAA=",
        },
    },
    bc6hs: {
        "linear opaque": {
            dds: [
                542327876, 124, 528391, "height", "width", "levelBytes", 0, 1, 0, 0, 0, 0, 0, 0, 0,
                0, 0, 0, 0, 32, 4, 808540228, 0, 0, 0, 0, 0, 4096, 0, 0, 0, 0, 96, 3, 0, 1, 3,
            ],
            ddsWithMips: [
                542327876, 124, 659463, "height", "width", "levelBytes", 0, "mipLevels", 0, 0, 0, 0,
                0, 0, 0, 0, 0, 0, 0, 32, 4, 808540228, 0, 0, 0, 0, 0, 4198408, 0, 0, 0, 0, 96, 3, 0,
                1, 3,
            ],
            vkFormat: 144,
            descriptor: "LAAAAAAAAAACACgAhQEBAAMDAAAQAAAAAAAAAAAAf8AAAAAAAACAvwAAgD8=",
            keyValues: "EgAAAEtUWG9yaWVudGF0aW9uAHJkAAAAGgAAAEtUWHdyaXRlcgBCcmlja3dvcmsgMC4xLjAAAAA=",
        },
    },
    bc7: {
        "linear opaque": {
            dds: [
                542327876, 124, 528391, "height", "width", "levelBytes", 0, 1, 0, 0, 0, 0, 0, 0, 0,
                0, 0, 0, 0, 32, 4, 808540228, 0, 0, 0, 0, 0, 4096, 0, 0, 0, 0, 98, 3, 0, 1, 3,
            ],
            ddsWithMips: [
                542327876, 124, 659463, "height", "width", "levelBytes", 0, "mipLevels", 0, 0, 0, 0,
                0, 0, 0, 0, 0, 0, 0, 32, 4, 808540228, 0, 0, 0, 0, 0, 4198408, 0, 0, 0, 0, 98, 3, 0,
                1, 3,
            ],
            vkFormat: 145,
            descriptor: "LAAAAAAAAAACACgAhgEBAAMDAAAQAAAAAAAAAAAAfwAAAAAAAAAAAP////8=",
            keyValues: "EgAAAEtUWG9yaWVudGF0aW9uAHJkAAAAGgAAAEtUWHdyaXRlcgBCcmlja3dvcmsgMC4xLjAAAAA=",
        },
        "linear straight": {
            dds: [
                542327876, 124, 528391, "height", "width", "levelBytes", 0, 1, 0, 0, 0, 0, 0, 0, 0,
                0, 0, 0, 0, 32, 4, 808540228, 0, 0, 0, 0, 0, 4096, 0, 0, 0, 0, 98, 3, 0, 1, 1,
            ],
            ddsWithMips: [
                542327876, 124, 659463, "height", "width", "levelBytes", 0, "mipLevels", 0, 0, 0, 0,
                0, 0, 0, 0, 0, 0, 0, 32, 4, 808540228, 0, 0, 0, 0, 0, 4198408, 0, 0, 0, 0, 98, 3, 0,
                1, 1,
            ],
            vkFormat: 145,
            descriptor: "LAAAAAAAAAACACgAhgEBAAMDAAAQAAAAAAAAAAAAfwAAAAAAAAAAAP////8=",
            keyValues: "EgAAAEtUWG9yaWVudGF0aW9uAHJkAAAAGgAAAEtUWHdyaXRlcgBCcmlja3dvcmsgMC4xLjAAAAA=",
        },
        "linear premultiplied": {
            dds: [
                542327876, 124, 528391, "height", "width", "levelBytes", 0, 1, 0, 0, 0, 0, 0, 0, 0,
                0, 0, 0, 0, 32, 4, 808540228, 0, 0, 0, 0, 0, 4096, 0, 0, 0, 0, 98, 3, 0, 1, 2,
            ],
            ddsWithMips: [
                542327876, 124, 659463, "height", "width", "levelBytes", 0, "mipLevels", 0, 0, 0, 0,
                0, 0, 0, 0, 0, 0, 0, 32, 4, 808540228, 0, 0, 0, 0, 0, 4198408, 0, 0, 0, 0, 98, 3, 0,
                1, 2,
            ],
            vkFormat: 145,
            descriptor: "LAAAAAAAAAACACgAhgEBAQMDAAAQAAAAAAAAAAAAfwAAAAAAAAAAAP////8=",
            keyValues: "EgAAAEtUWG9yaWVudGF0aW9uAHJkAAAAGgAAAEtUWHdyaXRlcgBCcmlja3dvcmsgMC4xLjAAAAA=",
        },
        "srgb opaque": {
            dds: [
                542327876, 124, 528391, "height", "width", "levelBytes", 0, 1, 0, 0, 0, 0, 0, 0, 0,
                0, 0, 0, 0, 32, 4, 808540228, 0, 0, 0, 0, 0, 4096, 0, 0, 0, 0, 99, 3, 0, 1, 3,
            ],
            ddsWithMips: [
                542327876, 124, 659463, "height", "width", "levelBytes", 0, "mipLevels", 0, 0, 0, 0,
                0, 0, 0, 0, 0, 0, 0, 32, 4, 808540228, 0, 0, 0, 0, 0, 4198408, 0, 0, 0, 0, 99, 3, 0,
                1, 3,
            ],
            vkFormat: 146,
            descriptor: "LAAAAAAAAAACACgAhgECAAMDAAAQAAAAAAAAAAAAfwAAAAAAAAAAAP////8=",
            keyValues: "EgAAAEtUWG9yaWVudGF0aW9uAHJkAAAAGgAAAEtUWHdyaXRlcgBCcmlja3dvcmsgMC4xLjAAAAA=",
        },
        "srgb straight": {
            dds: [
                542327876, 124, 528391, "height", "width", "levelBytes", 0, 1, 0, 0, 0, 0, 0, 0, 0,
                0, 0, 0, 0, 32, 4, 808540228, 0, 0, 0, 0, 0, 4096, 0, 0, 0, 0, 99, 3, 0, 1, 1,
            ],
            ddsWithMips: [
                542327876, 124, 659463, "height", "width", "levelBytes", 0, "mipLevels", 0, 0, 0, 0,
                0, 0, 0, 0, 0, 0, 0, 32, 4, 808540228, 0, 0, 0, 0, 0, 4198408, 0, 0, 0, 0, 99, 3, 0,
                1, 1,
            ],
            vkFormat: 146,
            descriptor: "LAAAAAAAAAACACgAhgECAAMDAAAQAAAAAAAAAAAAfwAAAAAAAAAAAP////8=",
            keyValues: "EgAAAEtUWG9yaWVudGF0aW9uAHJkAAAAGgAAAEtUWHdyaXRlcgBCcmlja3dvcmsgMC4xLjAAAAA=",
        },
        "srgb premultiplied": {
            dds: [
                542327876, 124, 528391, "height", "width", "levelBytes", 0, 1, 0, 0, 0, 0, 0, 0, 0,
                0, 0, 0, 0, 32, 4, 808540228, 0, 0, 0, 0, 0, 4096, 0, 0, 0, 0, 99, 3, 0, 1, 2,
            ],
            ddsWithMips: [
                542327876, 124, 659463, "height", "width", "levelBytes", 0, "mipLevels", 0, 0, 0, 0,
                0, 0, 0, 0, 0, 0, 0, 32, 4, 808540228, 0, 0, 0, 0, 0, 4198408, 0, 0, 0, 0, 99, 3, 0,
                1, 2,
            ],
            vkFormat: 146,
            descriptor: "LAAAAAAAAAACACgAhgECAQMDAAAQAAAAAAAAAAAAfwAAAAAAAAAAAP////8=",
            keyValues: "EgAAAEtUWG9yaWVudGF0aW9uAHJkAAAAGgAAAEtUWHdyaXRlcgBCcmlja3dvcmsgMC4xLjAAAAA=",
        },
    },
    "etc2-rgb8": {
        "linear opaque": {
            vkFormat: 147,
            descriptor: "LAAAAAAAAAACACgAoQEBAAMDAAAIAAAAAAAAAAAAPwIAAAAAAAAAAP////8=",
            keyValues: "EgAAAEtUWG9yaWVudGF0aW9uAHJkAAAAGgAAAEtUWHdyaXRlcgBCcmlja3dvcmsgMC4xLjAAAAA=",
        },
        "srgb opaque": {
            vkFormat: 148,
            descriptor: "LAAAAAAAAAACACgAoQECAAMDAAAIAAAAAAAAAAAAPwIAAAAAAAAAAP////8=",
            keyValues: "EgAAAEtUWG9yaWVudGF0aW9uAHJkAAAAGgAAAEtUWHdyaXRlcgBCcmlja3dvcmsgMC4xLjAAAAA=",
        },
    },
    "etc2-rgb8a1": {
        "linear opaque": {
            vkFormat: 149,
            descriptor: "PAAAAAAAAAACADgAoQEBAAMDAAAIAAAAAAAAAAAAPwIAAAAAAAAAAP////8AAD8PAAAAAAAAAAD/////",
            keyValues: "EgAAAEtUWG9yaWVudGF0aW9uAHJkAAAAGgAAAEtUWHdyaXRlcgBCcmlja3dvcmsgMC4xLjAAAAA=",
        },
        "linear straight": {
            vkFormat: 149,
            descriptor: "PAAAAAAAAAACADgAoQEBAAMDAAAIAAAAAAAAAAAAPwIAAAAAAAAAAP////8AAD8PAAAAAAAAAAD/////",
            keyValues: "EgAAAEtUWG9yaWVudGF0aW9uAHJkAAAAGgAAAEtUWHdyaXRlcgBCcmlja3dvcmsgMC4xLjAAAAA=",
        },
        "linear premultiplied": {
            vkFormat: 149,
            descriptor: "PAAAAAAAAAACADgAoQEBAQMDAAAIAAAAAAAAAAAAPwIAAAAAAAAAAP////8AAD8PAAAAAAAAAAD/////",
            keyValues: "EgAAAEtUWG9yaWVudGF0aW9uAHJkAAAAGgAAAEtUWHdyaXRlcgBCcmlja3dvcmsgMC4xLjAAAAA=",
        },
        "srgb opaque": {
            vkFormat: 150,
            descriptor: "PAAAAAAAAAACADgAoQECAAMDAAAIAAAAAAAAAAAAPwIAAAAAAAAAAP////8AAD8fAAAAAAAAAAD/////",
            keyValues: "EgAAAEtUWG9yaWVudGF0aW9uAHJkAAAAGgAAAEtUWHdyaXRlcgBCcmlja3dvcmsgMC4xLjAAAAA=",
        },
        "srgb straight": {
            vkFormat: 150,
            descriptor: "PAAAAAAAAAACADgAoQECAAMDAAAIAAAAAAAAAAAAPwIAAAAAAAAAAP////8AAD8fAAAAAAAAAAD/////",
            keyValues: "EgAAAEtUWG9yaWVudGF0aW9uAHJkAAAAGgAAAEtUWHdyaXRlcgBCcmlja3dvcmsgMC4xLjAAAAA=",
        },
        "srgb premultiplied": {
            vkFormat: 150,
            descriptor: "PAAAAAAAAAACADgAoQECAQMDAAAIAAAAAAAAAAAAPwIAAAAAAAAAAP////8AAD8fAAAAAAAAAAD/////",
            keyValues: "EgAAAEtUWG9yaWVudGF0aW9uAHJkAAAAGgAAAEtUWHdyaXRlcgBCcmlja3dvcmsgMC4xLjAAAAA=",
        },
    },
    "etc2-rgba8": {
        "linear opaque": {
            vkFormat: 151,
            descriptor: "PAAAAAAAAAACADgAoQEBAAMDAAAQAAAAAAAAAAAAPw8AAAAAAAAAAP////9AAD8CAAAAAAAAAAD/////",
            keyValues: "EgAAAEtUWG9yaWVudGF0aW9uAHJkAAAAGgAAAEtUWHdyaXRlcgBCcmlja3dvcmsgMC4xLjAAAAA=",
        },
        "linear straight": {
            vkFormat: 151,
            descriptor: "PAAAAAAAAAACADgAoQEBAAMDAAAQAAAAAAAAAAAAPw8AAAAAAAAAAP////9AAD8CAAAAAAAAAAD/////",
            keyValues: "EgAAAEtUWG9yaWVudGF0aW9uAHJkAAAAGgAAAEtUWHdyaXRlcgBCcmlja3dvcmsgMC4xLjAAAAA=",
        },
        "linear premultiplied": {
            vkFormat: 151,
            descriptor: "PAAAAAAAAAACADgAoQEBAQMDAAAQAAAAAAAAAAAAPw8AAAAAAAAAAP////9AAD8CAAAAAAAAAAD/////",
            keyValues: "EgAAAEtUWG9yaWVudGF0aW9uAHJkAAAAGgAAAEtUWHdyaXRlcgBCcmlja3dvcmsgMC4xLjAAAAA=",
        },
        "srgb opaque": {
            vkFormat: 152,
            descriptor: "PAAAAAAAAAACADgAoQECAAMDAAAQAAAAAAAAAAAAPx8AAAAAAAAAAP////9AAD8CAAAAAAAAAAD/////",
            keyValues: "EgAAAEtUWG9yaWVudGF0aW9uAHJkAAAAGgAAAEtUWHdyaXRlcgBCcmlja3dvcmsgMC4xLjAAAAA=",
        },
        "srgb straight": {
            vkFormat: 152,
            descriptor: "PAAAAAAAAAACADgAoQECAAMDAAAQAAAAAAAAAAAAPx8AAAAAAAAAAP////9AAD8CAAAAAAAAAAD/////",
            keyValues: "EgAAAEtUWG9yaWVudGF0aW9uAHJkAAAAGgAAAEtUWHdyaXRlcgBCcmlja3dvcmsgMC4xLjAAAAA=",
        },
        "srgb premultiplied": {
            vkFormat: 152,
            descriptor: "PAAAAAAAAAACADgAoQECAQMDAAAQAAAAAAAAAAAAPx8AAAAAAAAAAP////9AAD8CAAAAAAAAAAD/////",
            keyValues: "EgAAAEtUWG9yaWVudGF0aW9uAHJkAAAAGgAAAEtUWHdyaXRlcgBCcmlja3dvcmsgMC4xLjAAAAA=",
        },
    },
    "eac-r11": {
        "linear opaque": {
            vkFormat: 153,
            descriptor: "LAAAAAAAAAACACgAoQEBAAMDAAAIAAAAAAAAAAAAPwAAAAAAAAAAAP////8=",
            keyValues: "EgAAAEtUWG9yaWVudGF0aW9uAHJkAAAAGgAAAEtUWHdyaXRlcgBCcmlja3dvcmsgMC4xLjAAAAA=",
        },
    },
    "eac-r11s": {
        "linear opaque": {
            vkFormat: 154,
            descriptor: "LAAAAAAAAAACACgAoQEBAAMDAAAIAAAAAAAAAAAAP0AAAAAAAAAAgP///38=",
            keyValues: "EgAAAEtUWG9yaWVudGF0aW9uAHJkAAAAGgAAAEtUWHdyaXRlcgBCcmlja3dvcmsgMC4xLjAAAAA=",
        },
    },
    "eac-rg11": {
        "linear opaque": {
            vkFormat: 155,
            descriptor: "PAAAAAAAAAACADgAoQEBAAMDAAAQAAAAAAAAAAAAPwAAAAAAAAAAAP////9AAD8BAAAAAAAAAAD/////",
            keyValues: "EgAAAEtUWG9yaWVudGF0aW9uAHJkAAAAGgAAAEtUWHdyaXRlcgBCcmlja3dvcmsgMC4xLjAAAAA=",
        },
    },
    "eac-rg11s": {
        "linear opaque": {
            vkFormat: 156,
            descriptor: "PAAAAAAAAAACADgAoQEBAAMDAAAQAAAAAAAAAAAAP0AAAAAAAAAAgP///39AAD9BAAAAAAAAAID///9/",
            keyValues: "EgAAAEtUWG9yaWVudGF0aW9uAHJkAAAAGgAAAEtUWHdyaXRlcgBCcmlja3dvcmsgMC4xLjAAAAA=",
        },
    },
    "astc-4x4": {
        "linear opaque": {
            vkFormat: 157,
            descriptor: "LAAAAAAAAAACACgAogEBAAMDAAAQAAAAAAAAAAAAfwAAAAAAAAAAAP////8=",
            keyValues: "EgAAAEtUWG9yaWVudGF0aW9uAHJkAAAAGgAAAEtUWHdyaXRlcgBCcmlja3dvcmsgMC4xLjAAAAA=",
        },
        "linear straight": {
            vkFormat: 157,
            descriptor: "LAAAAAAAAAACACgAogEBAAMDAAAQAAAAAAAAAAAAfwAAAAAAAAAAAP////8=",
            keyValues: "EgAAAEtUWG9yaWVudGF0aW9uAHJkAAAAGgAAAEtUWHdyaXRlcgBCcmlja3dvcmsgMC4xLjAAAAA=",
        },
        "linear premultiplied": {
            vkFormat: 157,
            descriptor: "LAAAAAAAAAACACgAogEBAQMDAAAQAAAAAAAAAAAAfwAAAAAAAAAAAP////8=",
            keyValues: "EgAAAEtUWG9yaWVudGF0aW9uAHJkAAAAGgAAAEtUWHdyaXRlcgBCcmlja3dvcmsgMC4xLjAAAAA=",
        },
        "srgb opaque": {
            vkFormat: 158,
            descriptor: "LAAAAAAAAAACACgAogECAAMDAAAQAAAAAAAAAAAAfwAAAAAAAAAAAP////8=",
            keyValues: "EgAAAEtUWG9yaWVudGF0aW9uAHJkAAAAGgAAAEtUWHdyaXRlcgBCcmlja3dvcmsgMC4xLjAAAAA=",
        },
        "srgb straight": {
            vkFormat: 158,
            descriptor: "LAAAAAAAAAACACgAogECAAMDAAAQAAAAAAAAAAAAfwAAAAAAAAAAAP////8=",
            keyValues: "EgAAAEtUWG9yaWVudGF0aW9uAHJkAAAAGgAAAEtUWHdyaXRlcgBCcmlja3dvcmsgMC4xLjAAAAA=",
        },
        "srgb premultiplied": {
            vkFormat: 158,
            descriptor: "LAAAAAAAAAACACgAogECAQMDAAAQAAAAAAAAAAAAfwAAAAAAAAAAAP////8=",
            keyValues: "EgAAAEtUWG9yaWVudGF0aW9uAHJkAAAAGgAAAEtUWHdyaXRlcgBCcmlja3dvcmsgMC4xLjAAAAA=",
        },
    },
};

export default data;
